package io.coppice.engine.log;

import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.LogRecord;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;

/// A command that stores whole blocks of one volume, all of them or none over a crash.
public abstract class WriteCommand extends Command {

  private static final ThreadLocal<Checksum> CHECKSUM = ThreadLocal.withInitial(Checksum::new);

  private final int volume;
  private final long first;
  private final ByteBuffer payload;
  private final int[] crcs;
  private final long[] addresses;
  private final Log log;
  private int appended;
  private int staged;
  private int stagedAt;

  /// Takes the blocks' CRCs, on the thread of whoever writes: the committer has none to spare.
  ///
  /// @param first first block of the volume
  /// @param payload whole blocks, from its position to its limit
  protected WriteCommand(Log log, int volume, long first, ByteBuffer payload) {
    this.log = log;
    this.volume = volume;
    this.first = first;
    this.payload = payload;
    int blocks = payload.remaining() / PoolLayout.BLOCK;
    crcs = new int[blocks];
    addresses = new long[blocks];
    Checksum checksum = CHECKSUM.get();
    for (int i = 0; i < blocks; i++) {
      int at = payload.position() + i * PoolLayout.BLOCK;
      crcs[i] = checksum.of(payload, at, PoolLayout.BLOCK);
    }
  }

  public final int blocks() {
    return crcs.length;
  }

  public final long first() {
    return first;
  }

  public final int volume() {
    return volume;
  }

  public final long[] addresses() {
    return addresses;
  }

  public final int[] crcs() {
    return crcs;
  }

  @Override
  protected final boolean append(Batch batch) {
    int left = crcs.length - appended;
    int room = batch.roomForWrite(left, payload);
    if (room < left && (room == 0 || !(batch.isEmpty() || batch.isShortOfZone(left, payload)))) {
      return false; // whole in the next batch, if one can hold it
    }
    stagedAt =
        batch.write(
            volume,
            first + appended,
            room,
            (room < left ? LogRecord.MORE : 0) | (appended > 0 ? LogRecord.CONTINUES : 0),
            payload,
            new Batch.Crcs(crcs, appended));
    staged = room;
    appended += room;
    return appended == crcs.length;
  }

  @Override
  protected final void stable() {
    for (int i = 0; i < staged; i++) {
      addresses[appended - staged + i] = log.addressOf(stagedAt + i);
    }
    staged = 0;
  }
}

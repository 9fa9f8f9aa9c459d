package io.coppice.engine.log;

import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.LogRecord;
import java.nio.ByteBuffer;

/// A command that stores whole blocks of one volume, all of them or none over a crash. When it has
/// ended, it may be used again for other blocks.
public abstract class WriteCommand extends Command {

  private static final ThreadLocal<Checksum> CHECKSUM = ThreadLocal.withInitial(Checksum::new);

  private final Log log;
  private final Payload payload = new Payload();
  private long[] addresses = {};
  private int volume;
  private long first;
  private int staged;
  private int stagedAt;

  protected WriteCommand(Log log) {
    this.log = log;
  }

  /// Sets what it stores from now on, before it is first submitted or after it has ended. Takes the
  /// blocks' CRCs on the writer's thread: the committer has no time for them.
  ///
  /// @param volume its number
  /// @param first first block of the volume
  /// @param blocks whole ones, from the buffer's position to its limit; unchanged until it ends
  protected final void store(int volume, long first, ByteBuffer blocks) {
    this.volume = volume;
    this.first = first;
    payload.take(blocks, CHECKSUM.get());
    if (addresses.length < payload.blocks()) {
      addresses = new long[payload.blocks()];
    }
    staged = 0;
    readmit();
  }

  /// Keeps no reference to the stored blocks once it has ended.
  protected void letGo() {
    payload.letGo();
  }

  public final int blocks() {
    return payload.blocks();
  }

  public final long first() {
    return first;
  }

  /// The buffer of the blocks, until it has ended.
  protected final ByteBuffer bytes() {
    return payload.bytes();
  }

  /// Where the first block begins in the buffer.
  protected final int at() {
    return payload.start();
  }

  /// The address of a block, counted from the first one; once all are stable.
  public final long address(int i) {
    return addresses[i];
  }

  public final int crc(int i) {
    return payload.crc(i);
  }

  @Override
  protected final boolean append(Batch batch) {
    int left = payload.left();
    int done = payload.done();
    int room = batch.roomForWrite(payload);
    if (room < left && (room == 0 || !(batch.isEmpty() || batch.isShortOfZone(payload)))) {
      return false; // whole in the next batch, if one can hold it
    }
    int flags = (room < left ? LogRecord.MORE : 0) | (done > 0 ? LogRecord.CONTINUES : 0);
    stagedAt = batch.write(volume, first + done, room, flags, payload);
    staged = room;
    payload.advance(room);
    return payload.left() == 0;
  }

  @Override
  protected final void stable() {
    int from = payload.done() - staged;
    for (int i = 0; i < staged; i++) {
      addresses[from + i] = log.addressOf(stagedAt + i);
    }
    staged = 0;
  }
}

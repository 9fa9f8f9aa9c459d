package io.coppice.engine.log;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.BatchHeader;
import io.coppice.engine.format.LogRecord;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The writer of pieces of zones of survivors, beside the log: blocks that are stored already and
/// are stored once more. One thread; one zone at a time.
///
/// *Order, and what a crash leaves:* a piece is stable when [#write] returns; only then may a
/// [MovedCommand] name it in the log. A crash before that leaves a piece, torn or whole, that
/// nothing names. Its blocks are where they were, and the zone counts as free unless an earlier
/// piece of it was named. There cannot be a record without its piece. After a crash nothing is
/// added to the zone. So the remains of a void piece are never taken for the next one.
public final class SurvivorWriter {

  /// Most blocks of a piece: as many as one block of header can name at worst.
  public static final int MOST =
      (PoolLayout.BLOCK - BatchHeader.LENGTH) / LogRecord.relocateLength(1);

  private final BlockDevice device;
  private final UUID pool;
  private final int zoneSize;
  private final InstantSource clock;
  private final Batch batch = new Batch();

  private int segment = -1;
  private long seq;
  private int crc;

  public SurvivorWriter(BlockDevice device, UUID pool, int zoneSize, InstantSource clock) {
    this.device = device;
    this.pool = pool;
    this.zoneSize = zoneSize;
    this.clock = clock;
  }

  /// Stores blocks behind those of the piece before, or at the start of a zone; stable on return.
  ///
  /// @param blocks 1 to [#MOST], intact
  /// @throws io.coppice.engine.device.DeviceException if that is uncertain; then nothing more may
  ///   be acknowledged
  public void write(SurvivorRoom room, List<ZoneBlock> blocks) {
    if (room.segment() != segment) {
      segment = room.segment();
      seq = 1;
      crc = 0;
    }
    batch.begin(1 + blocks.size());
    for (int from = 0; from < blocks.size(); ) {
      from += add(blocks.subList(from, from + RelocateCommand.run(blocks, from)));
    }
    ByteBuffer header = batch.finishHeader();
    new BatchHeader(
            seq,
            seq - 1,
            crc,
            batch.records(),
            batch.headerBlocks(),
            batch.payloadBlocks(),
            new BatchHeader.Place(room.segment(), room.zone(), -1, 0),
            clock.millis())
        .encode(header);
    long offset =
        PoolLayout.zoneOffset(room.zone(), zoneSize) + (long) room.block() * PoolLayout.BLOCK;
    crc = StructureHeader.seal(header, StructureHeader.SURVIVORS, pool, offset, header.position());
    seq++;
    device.writeStable(offset, batch.image());
  }

  private int add(List<ZoneBlock> run) {
    int[] numbers = new int[run.size()];
    List<ByteBuffer> contents = new ArrayList<>(run.size());
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = run.get(i).block();
      contents.add(run.get(i).content());
    }
    batch.relocate(run.getFirst().segment(), numbers, contents);
    return numbers.length;
  }
}

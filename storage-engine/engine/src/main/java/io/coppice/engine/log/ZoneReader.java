package io.coppice.engine.log;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.BatchHeader;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.LogRecord;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Reads a sealed zone of the log whole, and tells every block that was stored in it and whether it
/// still is what was stored: the batches name each block, their headers carry its CRC.
///
/// Goes from header to header and stops at the first one that does not read or does not follow:
/// what stands behind it is told by nobody.
public final class ZoneReader {

  private final BlockDevice device;
  private final UUID pool;
  private final int zoneSize;
  private final ByteBuffer zone;
  private final Checksum checksum = new Checksum();

  /// A block stored in the zone.
  ///
  /// @param segment and `block`: its address
  /// @param place where it stands: its number among all blocks of all zones
  /// @param intact whether its bytes match the CRC in the batch
  /// @param content valid until the next zone is read
  public record Block(int segment, int block, long place, boolean intact, ByteBuffer content) {}

  public ZoneReader(BlockDevice device, UUID pool, int zoneSize) {
    this.device = device;
    this.pool = pool;
    this.zoneSize = zoneSize;
    zone = AlignedBuffers.allocate(zoneSize).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// @throws io.coppice.engine.device.DeviceException if the zone cannot be read
  public List<Block> read(int number, int segment) {
    device.read(PoolLayout.zoneOffset(number, zoneSize), zone.clear());
    zone.clear();
    List<Block> blocks = new ArrayList<>();
    BatchHeader before = null;
    int crcBefore = 0;
    int at = 0;
    ByteBuffer header = headerAt(number, at);
    while (header != null) {
      BatchHeader batch = BatchHeader.decode(header);
      int end = at + batch.headerBlocks() + batch.payloadBlocks();
      boolean follows =
          before == null || (batch.seq() == before.seq() + 1 && batch.previousCrc() == crcBefore);
      if (!follows
          || batch.place().segment() != segment
          || batch.place().zone() != number
          || batch.headerBlocks() != header.limit() / PoolLayout.BLOCK
          || batch.payloadBlocks() < 0
          || end > blocksPerZone()
          || !tell(batch, header, at, blocks)) {
        break;
      }
      before = batch;
      crcBefore = StructureHeader.crcOf(header);
      at = end;
      header = headerAt(number, at);
    }
    return blocks;
  }

  private int blocksPerZone() {
    return zoneSize / PoolLayout.BLOCK;
  }

  private @org.jspecify.annotations.Nullable ByteBuffer headerAt(int number, int block) {
    if (block >= blocksPerZone()) {
      return null;
    }
    long offset = PoolLayout.zoneOffset(number, zoneSize) + (long) block * PoolLayout.BLOCK;
    ByteBuffer first = slice(block, 1);
    if (!StructureHeader.looksLike(first, StructureHeader.BATCH, pool, offset)) {
      return null;
    }
    int length = StructureHeader.lengthOf(first);
    int blocks = length / PoolLayout.BLOCK;
    if (length % PoolLayout.BLOCK != 0
        || length > Batch.MAX_HEADER
        || block + blocks > blocksPerZone()) {
      return null;
    }
    ByteBuffer whole = slice(block, blocks);
    return StructureHeader.isIntact(whole, StructureHeader.BATCH, pool, offset) ? whole : null;
  }

  private ByteBuffer slice(int block, int blocks) {
    return zone.slice(block * PoolLayout.BLOCK, blocks * PoolLayout.BLOCK)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /// @return false if the records do not read
  private boolean tell(BatchHeader batch, ByteBuffer header, int at, List<Block> into) {
    int payload = at + batch.headerBlocks();
    int segment = batch.place().segment();
    long place = (long) batch.place().zone() * blocksPerZone();
    header.position(BatchHeader.LENGTH);
    try {
      for (int i = 0; i < batch.records(); i++) {
        switch (LogRecord.decode(header)) {
          case LogRecord.Write write -> {
            for (int k = 0; k < write.crcs().length; k++) {
              int block = payload + write.payloadBlock() + k;
              into.add(block(segment, block, place + block, write.crcs()[k]));
            }
          }
          case LogRecord.Fill fill -> {
            int block = payload + fill.payloadBlock();
            into.add(block(segment, block, place + block, fill.crc()));
          }
          case LogRecord.Relocate moved -> {
            for (int k = 0; k < moved.crcs().length; k++) {
              long at0 = place + payload + moved.payloadBlock() + k;
              into.add(block(moved.segment(), moved.blocks()[k], at0, moved.crcs()[k]));
            }
          }
          case LogRecord.Unmap _, LogRecord.Copy _, LogRecord.ChangePiece _ -> {}
        }
      }
    } catch (FormatException | IndexOutOfBoundsException e) {
      return false;
    }
    return true;
  }

  private Block block(int segment, int block, long place, int crc) {
    int inZone = (int) (place % blocksPerZone());
    boolean intact = checksum.of(zone, inZone * PoolLayout.BLOCK, PoolLayout.BLOCK) == crc;
    return new Block(segment, block, place, intact, slice(inZone, 1));
  }
}

package io.coppice.engine.log;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The reader of a whole sealed zone of data. It reports every block that was stored there, and
/// whether the block is intact: the batches name each block, and their headers carry its CRC.
///
/// It goes from header to header and stops at the first one that cannot be read or does not follow;
/// nothing tells what lies behind it. The device is read in pieces, so that other users of it never
/// wait for more than one of them.
public final class ZoneReader {

  private static final int PIECE = 1 << 20;

  private final BlockDevice device;
  private final int zoneSize;
  private final ZoneWindow.Pace pace;
  private final ByteBuffer zone;
  private final BatchWalk walk;
  private final Checksum checksum = new Checksum();
  private long offset;

  /// @param pace told of every read
  public ZoneReader(BlockDevice device, UUID pool, int zoneSize, ZoneWindow.Pace pace) {
    this.device = device;
    this.zoneSize = zoneSize;
    this.pace = pace;
    zone = AlignedBuffers.allocate(zoneSize).order(ByteOrder.LITTLE_ENDIAN);
    walk = new BatchWalk(pool, zoneSize, new Zone());
  }

  /// @throws io.coppice.engine.device.DeviceException if the zone cannot be read
  public List<ZoneBlock> read(int number, int segment) {
    offset = PoolLayout.zoneOffset(number, zoneSize);
    for (int at = 0; at < zoneSize; at += PIECE) {
      int length = Math.min(PIECE, zoneSize - at);
      long start = System.nanoTime();
      readPiece(at, length);
      pace.read(length, System.nanoTime() - start);
    }
    long place = (long) number * blocksPerZone();
    List<ZoneBlock> blocks = new ArrayList<>();
    walk.enter(number, segment, 0, blocksPerZone());
    for (BatchWalk.Found found = walk.next(); found != null; found = walk.next()) {
      for (BatchWalk.Stored stored : found.blocks()) {
        blocks.add(block(stored, place, found.payload() + stored.payload()));
      }
    }
    return blocks;
  }

  /// Reads a piece from any copy of a mirror that can be read.
  private void readPiece(int at, int length) {
    DeviceException failure = null;
    for (BlockDevice.Copy copy : device.copies()) {
      try {
        copy.device().read(offset + at, zone.slice(at, length));
        return;
      } catch (DeviceException e) {
        failure = e;
      }
    }
    throw failure == null ? new DeviceException("expected a device, found none") : failure;
  }

  /// The zone that was read.
  private final class Zone implements BatchWalk.Blocks {

    @Override
    public ByteBuffer at(int first, int count) {
      return slice(first, count);
    }

    @Override
    public boolean useOther(int first, int count) {
      return differs(first, count);
    }
  }

  /// Puts the first copy of these blocks that is not what was read before in its place. Of a mirror
  /// that may be the only one that is left: the one that was read may have been left out since.
  private boolean differs(int first, int count) {
    List<BlockDevice.Copy> copies = device.copies();
    if (copies.getFirst().isOnly()) {
      return false;
    }
    int length = count * PoolLayout.BLOCK;
    ByteBuffer other = AlignedBuffers.allocate(length);
    ByteBuffer now = slice(first, count);
    for (BlockDevice.Copy copy : copies) {
      try {
        copy.device().read(offset + (long) first * PoolLayout.BLOCK, other.clear());
      } catch (DeviceException e) {
        continue;
      }
      if (!other.flip().equals(now)) {
        now.put(0, other, 0, length);
        return true;
      }
    }
    return false;
  }

  /// Takes a block from a device that does not hold everything, if it is the one that the batch
  /// names. Headers are not looked for there: nothing has named them yet.
  private boolean readReserve(BatchWalk.Stored stored, int inZone) {
    for (BlockDevice.Copy reserve : device.reserves()) {
      try {
        reserve.device().read(offset + (long) inZone * PoolLayout.BLOCK, slice(inZone, 1));
      } catch (DeviceException e) {
        continue;
      }
      if (isIntact(stored, inZone)) {
        return true;
      }
    }
    return false;
  }

  private int blocksPerZone() {
    return zoneSize / PoolLayout.BLOCK;
  }

  private ByteBuffer slice(int block, int blocks) {
    return zone.slice(block * PoolLayout.BLOCK, blocks * PoolLayout.BLOCK)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private boolean isIntact(BatchWalk.Stored stored, int inZone) {
    return checksum.of(zone, inZone * PoolLayout.BLOCK, PoolLayout.BLOCK) == stored.crc();
  }

  private ZoneBlock block(BatchWalk.Stored stored, long place, int inZone) {
    boolean intact =
        isIntact(stored, inZone)
            || (differs(inZone, 1) && isIntact(stored, inZone))
            || readReserve(stored, inZone);
    return new ZoneBlock(
        stored.segment(), stored.block(), place + inZone, stored.crc(), intact, slice(inZone, 1));
  }
}

package io.coppice.engine.log;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.BatchHeader;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The log on one device, read a piece at a time. One thread.
final class LogCopy {

  private static final int WINDOW = 1 << 20;

  private final BlockDevice.Copy copy;
  private final UUID pool;
  private final int zoneSize;
  private final ByteBuffer bytes = AlignedBuffers.allocate(WINDOW);
  private long at = -1;
  private int length;

  LogCopy(BlockDevice.Copy copy, UUID pool, int zoneSize) {
    this.copy = copy;
    this.pool = pool;
    this.zoneSize = zoneSize;
  }

  BlockDevice.Copy copy() {
    return copy;
  }

  /// Valid until the next call.
  ByteBuffer view(long offset, int wanted) {
    if (offset < at || at < 0 || offset + wanted > at + length) {
      at = -1;
      try {
        fill(offset, (int) Math.min(WINDOW, copy.device().sizeInBytes() - offset));
      } catch (DeviceException e) {
        fill(offset, wanted); // what else cannot be read there is no matter of the log
      }
    }
    return bytes.slice((int) (offset - at), wanted).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void fill(long offset, int count) {
    copy.device().read(offset, bytes.clear().limit(count));
    bytes.clear();
    length = count;
    at = offset;
  }

  /// As [#view]; null if they cannot be read.
  @Nullable ByteBuffer tryView(long offset, int wanted) {
    try {
      return view(offset, wanted);
    } catch (DeviceException e) {
      return null;
    }
  }

  void forget() {
    at = -1;
  }

  /// The intact batch header at this place, or null. Valid until the next call.
  @Nullable ByteBuffer headerAt(int zone, int block) {
    long offset = PoolLayout.zoneOffset(zone, zoneSize) + (long) block * PoolLayout.BLOCK;
    ByteBuffer first = view(offset, PoolLayout.BLOCK);
    if (!StructureHeader.looksLike(first, StructureHeader.BATCH, pool, offset)) {
      return null;
    }
    int header = StructureHeader.lengthOf(first);
    if (header % PoolLayout.BLOCK != 0
        || header > Batch.MAX_HEADER
        || block + header / PoolLayout.BLOCK > zoneSize / PoolLayout.BLOCK) {
      return null;
    }
    ByteBuffer whole = view(offset, header);
    return StructureHeader.isIntact(whole, StructureHeader.BATCH, pool, offset)
            && BatchHeader.decode(whole).headerBlocks() == header / PoolLayout.BLOCK
        ? whole
        : null;
  }
}

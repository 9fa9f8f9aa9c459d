package io.coppice.engine.check;

import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The reader of pieces of the device. Unreadable data is a finding. One thread.
final class PoolReader {

  /// Most bytes of one read.
  static final int WINDOW = 1 << 20;

  private final BlockDevice device;
  private final Superblock superblock;
  private final Findings findings;
  private final ByteBuffer window = AlignedBuffers.allocate(WINDOW);
  private long bytesRead;

  PoolReader(BlockDevice device, Superblock superblock, Findings findings) {
    this.device = device;
    this.superblock = superblock;
    this.findings = findings;
  }

  UUID pool() {
    return superblock.pool();
  }

  int zones() {
    return superblock.geometry().zones();
  }

  int zoneSize() {
    return superblock.geometry().zoneSize();
  }

  int blocksPerZone() {
    return zoneSize() / PoolLayout.BLOCK;
  }

  long bytesRead() {
    return bytesRead;
  }

  long offsetOf(int zone, int block) {
    return PoolLayout.zoneOffset(zone, zoneSize()) + (long) block * PoolLayout.BLOCK;
  }

  /// The zone of a device offset, -1 if it is in none.
  int zoneOf(long offset) {
    long zone = Math.floorDiv(offset - PoolLayout.SUPERBLOCK_AREA, (long) zoneSize());
    return zone < 0 || zone >= zones() ? -1 : (int) zone;
  }

  FindingLocation where(long offset) {
    return new FindingLocation(zoneOf(offset), offset, null, -1);
  }

  /// Bytes of the device, valid until the next call.
  ///
  /// @param length up to [#WINDOW], a multiple of 4096
  /// @return null if they cannot be read: that is a finding already
  @Nullable ByteBuffer read(long offset, int length, Structure what, FindingLocation where) {
    try {
      return read(offset, length);
    } catch (DeviceException e) {
      findings.damage(
          what, where, "expected %d bytes, found that %s".formatted(length, e.getMessage()));
      return null;
    }
  }

  /// As [#read], for a caller that can do with less.
  @Nullable ByteBuffer tryRead(long offset, int length) {
    try {
      return read(offset, length);
    } catch (DeviceException e) {
      return null;
    }
  }

  /// As above, without a finding.
  ///
  /// @throws DeviceException if it cannot be read: no finding yet
  ByteBuffer read(long offset, int length) {
    device.read(offset, window.clear().limit(length));
    bytesRead += length;
    window.clear();
    return window.slice(0, length).order(ByteOrder.LITTLE_ENDIAN);
  }
}

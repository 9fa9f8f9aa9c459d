package io.coppice.engine.core;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.map.MapReader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reads single blocks as a volume maps them now. One thread.
final class BlockCheck {

  private final BlockDevice device;
  private final PoolState state;
  private final ByteBuffer buffer = AlignedBuffers.allocate(PoolLayout.BLOCK);
  private final Checksum checksum = new Checksum();
  private final MapReader.Target mapped = new MapReader.Target();

  /// A block that a host cannot read.
  record Bad(VolumeState volume, long block, long address, String reason) {}

  BlockCheck(BlockDevice device, PoolState state) {
    this.device = device;
    this.state = state;
  }

  /// Absent if the block can be read, is a hole, or is gone with its volume.
  @Nullable Bad check(VolumeState volume, long block) {
    int ticket = state.epochs().enter();
    try {
      if (!isMapped(volume, block)
          || mapped.address(0) == BlockAddress.NONE
          || volume.isDeleted()) {
        return null;
      }
      String reason = reason(mapped.address(0));
      return reason == null ? null : new Bad(volume, block, mapped.address(0), reason);
    } finally {
      state.epochs().leave(ticket);
    }
  }

  // A node of the map that does not read is a finding of its own.
  private boolean isMapped(VolumeState volume, long block) {
    try {
      int stamp;
      do {
        stamp = volume.stamp();
        MapReader.read(volume.head().root(), mapped.aim(block, 1), state.nodes());
      } while (!volume.isUnchangedSince(stamp));
    } catch (StorageException e) {
      return false;
    }
    return true;
  }

  private @Nullable String reason(long where) {
    try {
      long offset = state.pages().offsetOf(where);
      if (offset < 0) {
        return "expected its segment, found none";
      }
      device.read(offset, buffer.clear());
    } catch (DeviceException | StorageException e) {
      return e.getMessage();
    }
    int found = checksum.of(buffer, 0, PoolLayout.BLOCK);
    int expected = mapped.crc(0);
    return found == expected ? null : "expected CRC32C %08x, found %08x".formatted(expected, found);
  }

  /// Whether a volume still maps a block to the address, as far as its map is in memory; never
  /// reads the device.
  static boolean maps(PoolState state, VolumeState volume, long block, long address) {
    if (volume.isDeleted()) {
      return false;
    }
    MapReader.Target now = new MapReader.Target().aim(block, 1);
    int ticket = state.epochs().enter();
    try {
      return !MapReader.read(volume.head().root(), now, null) || now.address(0) == address;
    } finally {
      state.epochs().leave(ticket);
    }
  }
}

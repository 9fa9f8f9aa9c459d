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
  private final long[] address = new long[1];
  private final int[] crc = new int[1];

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
      if (!isMapped(volume, block) || address[0] == BlockAddress.NONE || volume.isDeleted()) {
        return null;
      }
      String reason = reason(address[0]);
      return reason == null ? null : new Bad(volume, block, address[0], reason);
    } finally {
      state.epochs().leave(ticket);
    }
  }

  // A node of the map that does not read is a finding of its own.
  private boolean isMapped(VolumeState volume, long block) {
    MapReader.Target target = new MapReader.Target(block, 1, address, crc);
    try {
      int stamp;
      do {
        stamp = volume.stamp();
        MapReader.read(volume.head().root(), target, state.nodes());
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
    return found == crc[0] ? null : "expected CRC32C %08x, found %08x".formatted(crc[0], found);
  }

  /// Whether a volume still maps a block to the address, as far as its map is in memory; never
  /// reads the device.
  static boolean maps(PoolState state, VolumeState volume, long block, long address) {
    if (volume.isDeleted()) {
      return false;
    }
    long[] now = new long[1];
    int ticket = state.epochs().enter();
    try {
      MapReader.Target target = new MapReader.Target(block, 1, now, new int[1]);
      return !MapReader.read(volume.head().root(), target, null) || now[0] == address;
    } finally {
      state.epochs().leave(ticket);
    }
  }
}

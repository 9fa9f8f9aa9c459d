package io.coppice.engine.io;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.map.MapEntries;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A check of single blocks, as a volume maps them now. It reads every copy, and writes damaged
/// copies anew from an intact one. One thread.
public final class BlockCheck {

  private final BlockDevice device;
  private final PoolState state;
  private final BlockReads.BadBlocks told;
  private final ByteBuffer buffer = AlignedBuffers.allocate(PoolLayout.BLOCK);
  private final MapEntries mapped = new MapEntries();

  /// A block that a host cannot read.
  ///
  /// @param offset where it lies on the device; -1 if that is not known
  public record Bad(VolumeState volume, long block, long address, long offset, String reason) {}

  /// @param told of copies that were written anew
  public BlockCheck(BlockDevice device, PoolState state, BlockReads.BadBlocks told) {
    this.device = device;
    this.state = state;
    this.told = told;
  }

  /// Absent if the block can be read, is a hole, or is gone with its volume.
  @Nullable
  public Bad check(VolumeState volume, long block) {
    int ticket = state.epochs().enter();
    try {
      if (!readMap(volume, block) || mapped.address(0) == BlockAddress.NONE || volume.isDeleted()) {
        return null;
      }
      return look(volume, block, mapped.address(0));
    } finally {
      state.epochs().leave(ticket);
    }
  }

  // A node of the map that does not read is a finding of its own.
  private boolean readMap(VolumeState volume, long block) {
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

  private @Nullable Bad look(VolumeState volume, long block, long address) {
    long offset;
    try {
      offset = state.pages().offsetOf(address);
    } catch (DeviceException | StorageException e) {
      return new Bad(volume, block, address, -1, String.valueOf(e.getMessage()));
    }
    if (offset < 0) {
      return new Bad(volume, block, address, -1, "expected its segment, found none");
    }
    StoredBlock.Copies copies = new StoredBlock(device, offset, mapped.crc(0)).look(buffer);
    copies.mended().forEach(where -> told.mended(volume, block, where));
    String reason = copies.reason();
    return reason == null ? null : new Bad(volume, block, address, offset, reason);
  }

  /// Whether a volume still maps a block to the address, as far as its map is in memory; never
  /// reads the device.
  public static boolean maps(PoolState state, VolumeState volume, long block, long address) {
    if (volume.isDeleted()) {
      return false;
    }
    MapEntries now = new MapEntries().aim(block, 1);
    int ticket = state.epochs().enter();
    try {
      return !MapReader.read(volume.head().root(), now, null) || now.address(0) == address;
    } finally {
      state.epochs().leave(ticket);
    }
  }
}

package io.coppice.engine.superblock;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The content of the superblocks of one device.
///
/// @param newest the intact one of the highest generation; null if there is none
/// @param member the device of a mirror that it says it is on
/// @param empty whether nothing there was ever meant to be a superblock
public record SuperblockArea(
    @Nullable Superblock newest, int member, boolean empty, int otherVersion) {

  private static final String LATER =
      "A later Coppice has written it: start that one. Nothing was changed.";

  /// @throws StorageException.PoolUnusable if the device is too small for any
  public static SuperblockArea read(BlockDevice device) {
    if (device.sizeInBytes() < PoolLayout.SUPERBLOCK_AREA) {
      throw new StorageException.PoolUnusable(
          "Expected a pool of at least %d bytes, found %d."
              .formatted(PoolLayout.SUPERBLOCK_AREA, device.sizeInBytes()));
    }
    ByteBuffer area = AlignedBuffers.allocate((int) PoolLayout.SUPERBLOCK_AREA);
    device.read(0, area);
    Superblock newest = null;
    int member = 0;
    int otherVersion = 0;
    long otherGeneration = 0;
    boolean magic = false;
    for (int slot = 0; slot < 2 * PoolLayout.RING_SLOTS; slot++) {
      int offset = slot * PoolLayout.BLOCK;
      ByteBuffer bytes = area.slice(offset, PoolLayout.BLOCK).order(ByteOrder.LITTLE_ENDIAN);
      if (!Superblock.hasMagic(bytes)) {
        continue;
      }
      magic = true;
      boolean intact = Superblock.isIntact(bytes, offset);
      if (Superblock.versionOf(bytes) != PoolLayout.VERSION) {
        otherVersion = Superblock.versionOf(bytes);
        otherGeneration = Math.max(otherGeneration, intact ? Superblock.generationOf(bytes) : 0);
      } else if (intact
          && (newest == null || Superblock.generationOf(bytes) > newest.generation())) {
        newest = Superblock.decode(bytes);
        member = Superblock.memberOf(bytes);
      }
    }
    // An older generation of ours beside a newer one of another version: that other version has
    // written the pool since, and what ours would take for free is its data.
    boolean isOurs = newest != null && otherGeneration <= newest.generation();
    return new SuperblockArea(isOurs ? newest : null, member, !magic, otherVersion);
  }

  /// The newest superblock, of a pool that this code can open.
  ///
  /// @throws StorageException.PoolUnusable if it is no pool, or not one that this code knows
  /// @throws StorageException.Damaged if all are damaged
  public Superblock require() {
    Superblock found = newest;
    if (found == null) {
      throw unusable();
    }
    checkFeatures(found.features());
    return found;
  }

  private StorageException unusable() {
    if (otherVersion != 0) {
      return new StorageException.PoolUnusable(
          "Expected a pool of format version %d, found version %d. %s"
              .formatted(PoolLayout.VERSION, otherVersion, LATER));
    }
    return empty
        ? new StorageException.PoolUnusable("Expected a pool, found no superblock of one.")
        : new StorageException.Damaged("Expected an intact superblock, found only damaged ones.");
  }

  private static void checkFeatures(Superblock.Features features) {
    long unknown = features.incompatible() & ~Superblock.KNOWN_INCOMPATIBLE;
    if (unknown != 0 || features.readOnlyCompatible() != 0) {
      throw new StorageException.PoolUnusable(
          "Expected a pool with no features beyond 0x%x, found incompatible 0x%x, read-only 0x%x. %s"
              .formatted(
                  Superblock.KNOWN_INCOMPATIBLE,
                  features.incompatible(),
                  features.readOnlyCompatible(),
                  LATER));
    }
  }
}

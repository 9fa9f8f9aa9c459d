package io.coppice.engine.io;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.PoolLayout;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A block of data where it lies, with every copy.
///
/// @param offset on the device
/// @param crc its expected CRC32C
record StoredBlock(BlockDevice device, long offset, int crc) {

  private static final Logger LOGGER = System.getLogger(StoredBlock.class.getName());

  /// The state of a block's copies.
  ///
  /// @param reason why none of them is what was written; null if one is
  /// @param mended where a damaged copy was written anew, as the ends of phrases
  record Copies(@Nullable String reason, List<String> mended) {}

  /// Reads every copy, and writes the damaged copies anew from an intact one. The caller's epoch
  /// keeps the zone from being used again.
  ///
  /// @param block aligned, one block from 0 on; has the intact content after that
  Copies look(ByteBuffer block) {
    String reason = null;
    boolean found = false;
    ByteBuffer next = block;
    List<BlockDevice.Copy> damaged = new ArrayList<>();
    for (BlockDevice.Copy copy : device.copies()) {
      String wrong = read(copy, next);
      if (wrong != null) {
        damaged.add(copy);
        reason = reason == null ? wrong : reason;
      } else if (!found) {
        found = true;
        next = AlignedBuffers.allocate(PoolLayout.BLOCK);
      }
    }
    if (!found && readReserve(block)) {
      return new Copies(null, List.of()); // whoever fills the other device writes it anew
    }
    return found ? new Copies(null, mend(damaged, block)) : new Copies(reason, List.of());
  }

  /// Reads the block from a device that does not hold everything.
  ///
  /// @return whether one of them has it, by its checksum
  private boolean readReserve(ByteBuffer block) {
    for (BlockDevice.Copy reserve : device.reserves()) {
      if (read(reserve, block) == null) {
        return true;
      }
    }
    return false;
  }

  private @Nullable String read(BlockDevice.Copy copy, ByteBuffer into) {
    try {
      copy.device().read(offset, into.clear());
    } catch (DeviceException e) {
      return e.getMessage();
    }
    int found = new Checksum().of(into, 0, PoolLayout.BLOCK);
    return found == crc ? null : "expected CRC32C %08x, found %08x".formatted(crc, found);
  }

  private List<String> mend(List<BlockDevice.Copy> damaged, ByteBuffer intact) {
    List<String> mended = new ArrayList<>();
    for (BlockDevice.Copy copy : damaged) {
      try {
        copy.device().writeStable(offset, List.of(intact.duplicate().clear()));
        mended.add(copy.name());
      } catch (DeviceException e) {
        LOGGER.log(Level.ERROR, "Could not write a block of data anew" + copy.name() + ".", e);
      }
    }
    return mended;
  }
}

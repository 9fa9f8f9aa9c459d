package io.coppice.engine.scrub;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.Chunk;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.log.LogVerifier;
import io.coppice.engine.log.ZoneWindow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The check of what a restart reads first, on every device: both superblocks of the checkpoint
/// that counts, its tables in both copies, and the headers of the log from it on. One thread.
final class RestartVerifier {

  private final BlockDevice device;
  private final LogVerifier log;
  private final ZoneWindow window;

  /// @param window that `log` looks through
  RestartVerifier(BlockDevice device, LogVerifier log, ZoneWindow window) {
    this.device = device;
    this.log = log;
    this.window = window;
  }

  /// Descriptions of the damage.
  List<String> damages(ScrubView.Head head) {
    List<String> damages = new ArrayList<>();
    for (BlockDevice.Copy copy : device.copies()) {
      window.from(copy.device());
      new On(copy.device(), log).damages(head).forEach(what -> damages.add(what + copy.name()));
    }
    return damages;
  }

  /// The check of one device.
  private record On(BlockDevice device, LogVerifier log) {

    List<String> damages(ScrubView.Head head) {
      List<String> damages = new ArrayList<>();
      Superblock superblock = head.superblock();
      for (int ring = 0; ring < 2; ring++) {
        if (!holds(PoolLayout.slotOffset(ring, superblock.generation()), superblock)) {
          damages.add(
              "the superblock of generation %d in ring %d"
                  .formatted(superblock.generation(), ring));
        }
      }
      tables(superblock, damages);
      String missing = log.chain(superblock.logStart(), head.end());
      if (missing != null) {
        damages.add(missing);
      }
      return damages;
    }

    private boolean holds(long offset, Superblock expected) {
      ByteBuffer slot = AlignedBuffers.allocate(Superblock.LENGTH);
      try {
        device.read(offset, slot);
      } catch (DeviceException e) {
        return false;
      }
      slot.clear();
      return Superblock.isIntact(slot, offset) && Superblock.decode(slot).equals(expected);
    }

    private void tables(Superblock superblock, List<String> damages) {
      Superblock.Root at = superblock.root();
      int number = Integer.MAX_VALUE;
      while (number > 0) {
        ByteBuffer first = chunk(superblock, at, at.offset(), damages);
        ByteBuffer second = at.twin() == 0 ? null : chunk(superblock, at, at.twin(), damages);
        ByteBuffer bytes = first == null ? second : first;
        if (bytes == null) {
          return;
        }
        number = Math.min(number - 1, Chunk.number(bytes));
        at = Chunk.before(bytes, superblock.features());
      }
    }

    /// One copy of a piece; absent if it is damaged.
    private @Nullable ByteBuffer chunk(
        Superblock superblock, Superblock.Root at, long offset, List<String> damages) {
      try {
        ByteBuffer bytes =
            AlignedBuffers.allocate(PoolLayout.blocksFor(at.length()) * PoolLayout.BLOCK);
        device.read(offset, bytes);
        bytes.clear();
        Chunk.check(bytes, superblock.pool(), superblock.features(), at);
        return bytes;
      } catch (FormatException | DeviceException e) {
        damages.add(
            "a piece of the checkpoint's tables at offset %d of the pool".formatted(offset));
        return null;
      }
    }
  }
}

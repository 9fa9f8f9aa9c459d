package io.coppice.engine.check;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.PlacementBits;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The placements beyond the first, by block: as the tables say, and as found in the maps. It takes
/// a few bits for each block, however many blocks are counted.
final class CountMap {

  private final Map<Integer, Entry> segments = new HashMap<>();

  private static final class Entry {
    final Groups expected = new Groups();
    final Groups found = new Groups(); // all placements, the first one too
  }

  /// The numbers of the blocks of one segment.
  private static final class Groups {
    private long[] @Nullable [] groups = new long[0][];

    long of(int block) {
      int at = block / PlacementBits.GROUP;
      return at < groups.length ? PlacementBits.get(groups[at], block % PlacementBits.GROUP) : 0;
    }

    void set(int block, long number) {
      int at = block / PlacementBits.GROUP;
      if (at >= groups.length) {
        groups = Arrays.copyOf(groups, at + 1);
      }
      groups[at] = PlacementBits.with(groups[at], block % PlacementBits.GROUP, number);
    }

    int end() {
      return groups.length * PlacementBits.GROUP;
    }
  }

  /// The receiver of blocks with a wrong number.
  interface Mismatch {
    void found(long address, long expected, long found);
  }

  /// Takes the tables' count of a block.
  ///
  /// @param placements 2 or more
  /// @return whether it is the first count of this block
  boolean expect(int segment, int block, long placements) {
    Groups expected = segments.computeIfAbsent(segment, _ -> new Entry()).expected;
    boolean isFirst = expected.of(block) == 0;
    expected.set(block, placements - 1);
    return isFirst;
  }

  /// Whether a block has two placements or more.
  boolean has(long address) {
    Entry entry = segments.get(BlockAddress.segment(address));
    return entry != null && entry.expected.of(BlockAddress.block(address)) > 0;
  }

  /// Counts a placement of a block that has two or more.
  ///
  /// @return whether there are no more now than the tables say
  boolean found(long address) {
    Entry entry = segments.get(BlockAddress.segment(address));
    int block = BlockAddress.block(address);
    if (entry == null) {
      return false;
    }
    long found = entry.found.of(block) + 1;
    entry.found.set(block, found);
    return found - 1 <= entry.expected.of(block);
  }

  /// Blocks that the tables count.
  long size() {
    long size = 0;
    for (Entry entry : segments.values()) {
      for (int block = 0; block < entry.expected.end(); block++) {
        size += Long.signum(entry.expected.of(block));
      }
    }
    return size;
  }

  /// Reports each block whose number is not that of the tables.
  void compare(Mismatch mismatch) {
    segments.forEach(
        (segment, entry) -> {
          for (int block = 0; block < entry.expected.end(); block++) {
            long expected = entry.expected.of(block);
            long found = entry.found.of(block);
            if (expected > 0 && found - 1 != expected) {
              long placements = expected == Long.MAX_VALUE ? expected : expected + 1;
              mismatch.found(BlockAddress.of(segment, block, 1), placements, found);
            }
          }
        });
  }
}

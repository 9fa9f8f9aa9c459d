package io.coppice.engine.map;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The entries of a run of blocks, as read from a map. One object serves one run after another, and
/// allocates only for a longer run than before. For one thread at a time.
public final class MapEntries {

  long[] addresses = {};
  int[] crcs = {};
  int @Nullable [] born;
  long first;
  int count;

  /// Entries with the versions that those with an address were born in.
  public static MapEntries withBorn() {
    MapEntries target = new MapEntries();
    target.born = new int[0];
    return target;
  }

  /// Sets `blocks` blocks from `from` on; earlier content is gone.
  public MapEntries aim(long from, int blocks) {
    first = from;
    count = blocks;
    if (addresses.length < blocks) {
      addresses = new long[blocks];
      crcs = new int[blocks];
      born = born == null ? null : new int[blocks];
    }
    return this;
  }

  /// The first block.
  public long first() {
    return first;
  }

  /// The number of blocks.
  public int count() {
    return count;
  }

  /// The address of a block, counted from the first one; 0 for a hole.
  public long address(int index) {
    return addresses[index];
  }

  public int crc(int index) {
    return crcs[index];
  }

  /// The born version of a block. Only for entries [#withBorn].
  public int born(int index) {
    return Objects.requireNonNull(born, "the born versions")[index];
  }
}

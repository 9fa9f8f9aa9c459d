package io.coppice.engine.map;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The entries of a run of blocks, as they were read from a map. It is used for one run after the
/// other, and allocates only for a longer run than those before. For one thread at a time.
public final class MapEntries {

  long[] addresses = {};
  int[] crcs = {};
  int @Nullable [] born;
  long first;
  int count;

  /// One that also takes the versions that entries with an address were born in.
  public static MapEntries withBorn() {
    MapEntries target = new MapEntries();
    target.born = new int[0];
    return target;
  }

  /// For `blocks` blocks from `from` on; what was read before is gone.
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

  /// Blocks.
  public int count() {
    return count;
  }

  /// Of a block, counted from the first one; a hole is address 0.
  public long address(int index) {
    return addresses[index];
  }

  public int crc(int index) {
    return crcs[index];
  }

  /// Of one [#withBorn].
  public int born(int index) {
    return Objects.requireNonNull(born, "the born versions")[index];
  }
}

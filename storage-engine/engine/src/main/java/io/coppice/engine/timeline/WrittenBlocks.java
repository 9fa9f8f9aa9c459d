package io.coppice.engine.timeline;

import java.util.HashMap;
import java.util.Map;

/// A set of blocks of a volume, with a bit for each block of each leaf. For one thread at a time.
public final class WrittenBlocks {

  private static final int LEAF_SHIFT = 9;
  private static final int WORDS = 8;

  /// Approximate bytes for a leaf: its bits, and its place in the table.
  static final int LEAF_BYTES = 160;

  private final Map<Long, long[]> leaves = new HashMap<>();
  private long lastLeaf = -1;
  private long[] last = {};

  /// Adds a block.
  ///
  /// @return whether it was not there yet
  public boolean add(long block) {
    long leaf = block >>> LEAF_SHIFT;
    if (leaf != lastLeaf) {
      last = leaves.computeIfAbsent(leaf, _ -> new long[WORDS]);
      lastLeaf = leaf;
    }
    int index = (int) (block & ((1 << LEAF_SHIFT) - 1));
    long bit = 1L << index;
    long before = last[index >>> 6];
    last[index >>> 6] = before | bit;
    return (before & bit) == 0;
  }

  int leaves() {
    return leaves.size();
  }

  void clear() {
    leaves.clear();
    lastLeaf = -1;
  }
}

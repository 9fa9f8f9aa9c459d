package io.coppice.engine.map;

/// The shape of a map: 4 levels of 512, so 2^36 blocks of 4 KiB.
public final class Geometry {

  static final int BITS = 9;

  /// Children of an inner node, entries of a leaf.
  public static final int FANOUT = 1 << BITS;

  /// Level of a root; leaves are level 0.
  public static final int ROOT_LEVEL = 3;

  /// Blocks under a root.
  public static final long BLOCKS = 1L << (BITS * (ROOT_LEVEL + 1));

  private Geometry() {}

  /// Index of `block`'s child or entry in its node of a level.
  public static int index(long block, int level) {
    return (int) (block >>> (BITS * level)) & (FANOUT - 1);
  }

  /// Blocks under a node of a level.
  public static long span(int level) {
    return 1L << (BITS * (level + 1));
  }

  /// First block after the node of `level` that holds `block`.
  public static long end(long block, int level) {
    return (block | (span(level) - 1)) + 1;
  }

  /// First block of the node of `level` that holds `block`.
  public static long start(long block, int level) {
    return block & -span(level);
  }
}

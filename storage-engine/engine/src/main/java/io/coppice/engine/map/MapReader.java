package io.coppice.engine.map;

import io.coppice.engine.format.BlockAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Looks into maps without a lock. The caller is inside an epoch.
public final class MapReader {

  private MapReader() {}

  /// Copies address and CRC of `count` blocks from `first` on; a hole is address 0.
  public static void read(
      @Nullable Inner root, long first, int count, long[] addresses, int[] crcs) {
    int done = 0;
    while (done < count) {
      long block = first + done;
      int run = (int) Math.min(count - done, Geometry.end(block, 0) - block);
      Leaf leaf = leafAt(root, block);
      if (leaf == null) {
        Arrays.fill(addresses, done, done + run, BlockAddress.NONE);
      } else {
        leaf.read(Geometry.index(block, 0), run, addresses, crcs, done);
      }
      done += run;
    }
  }

  static @Nullable Leaf leafAt(@Nullable Inner root, long block) {
    Node node = root;
    for (int level = Geometry.ROOT_LEVEL; level > 0 && node != null; level--) {
      node = ((Inner) node).child(Geometry.index(block, level));
    }
    return (Leaf) node;
  }

  /// Told of runs of blocks.
  public interface Runs {
    /// @return whether to go on
    boolean run(long first, long count);
  }

  /// Reports every run of blocks in [from, to) that has stored data. Skips holes at the cost of one
  /// look for each absent subtree.
  public static void allocated(@Nullable Inner root, long from, long to, Runs runs) {
    differences(root, null, from, to, runs);
  }

  /// Reports every run of blocks in [from, to) whose address in `one` is not the one in `other`.
  /// Subtrees that both share cost nothing.
  public static void differences(
      @Nullable Inner one, @Nullable Inner other, long from, long to, Runs runs) {
    long block = from;
    while (block < to) {
      Node a = one;
      Node b = other;
      int level = Geometry.ROOT_LEVEL;
      while (a != b && level > 0) {
        int index = Geometry.index(block, level);
        a = a == null ? null : ((Inner) a).child(index);
        b = b == null ? null : ((Inner) b).child(index);
        level--;
      }
      long end = Math.min(to, Geometry.end(block, level));
      if (a != b && !leafDifferences((Leaf) a, (Leaf) b, block, end, runs)) {
        return;
      }
      block = end;
    }
  }

  private static boolean leafDifferences(
      @Nullable Leaf a, @Nullable Leaf b, long from, long end, Runs runs) {
    int count = (int) (end - from);
    long[] left = entries(a, from, count);
    long[] right = entries(b, from, count);
    int i = 0;
    while (i < count) {
      int start = i;
      while (i < count && left[i] != right[i]) {
        i++;
      }
      if (i > start && !runs.run(from + start, i - start)) {
        return false;
      }
      i++;
    }
    return true;
  }

  private static long[] entries(@Nullable Leaf leaf, long from, int count) {
    long[] addresses = new long[count];
    if (leaf != null) {
      leaf.read(Geometry.index(from, 0), count, addresses, new int[count], 0);
    }
    return addresses;
  }
}

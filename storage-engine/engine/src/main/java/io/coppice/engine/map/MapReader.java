package io.coppice.engine.map;

import io.coppice.engine.StorageException;
import io.coppice.engine.format.BlockAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Looks into maps without a lock. The caller is inside an epoch.
public final class MapReader {

  private MapReader() {}

  /// Copies address and CRC of the blocks that `target` names; a hole is address 0.
  ///
  /// @param loader reads what is not in memory; absent: that ends it
  /// @return false if something was not in memory: what was copied is not whole
  public static boolean read(@Nullable Inner root, Target target, @Nullable NodeCache loader) {
    int done = 0;
    while (done < target.count) {
      long block = target.first + done;
      int run = (int) Math.min(target.count - done, Geometry.end(block, 0) - block);
      Node node = root;
      while (node instanceof Inner inner) {
        @Nullable Node[] table = inner.children();
        if (table == null) {
          if (loader == null) {
            return false;
          }
          table = loader.children(inner, Geometry.start(block, inner.level));
        }
        inner.touch();
        node = Inner.child(table, Geometry.index(block, inner.level));
      }
      if (node == null) {
        Arrays.fill(target.addresses, done, done + run, BlockAddress.NONE);
      } else if (!read((Leaf) node, block, run, done, target, loader)) {
        return false;
      }
      done += run;
    }
    return true;
  }

  /// Where the entries of `count` blocks from `first` on go.
  public record Target(long first, int count, long[] addresses, int[] crcs) {}

  private static boolean read(
      Leaf leaf, long block, int run, int at, Target target, @Nullable NodeCache loader) {
    while (!leaf.read(Geometry.index(block, 0), run, target.addresses, target.crcs, at)) {
      if (loader == null) {
        return false;
      }
      loader.load(leaf, Geometry.start(block, 0));
    }
    return true;
  }

  /// Whether all that a look at, or a change of, these blocks needs is in memory. Needs no epoch.
  public static boolean isResident(@Nullable Inner root, long first, long count) {
    for (long block = first; block < first + count; block = Geometry.end(block, 0)) {
      Node node = root;
      while (node instanceof Inner inner) {
        @Nullable Node[] table = inner.children();
        if (table == null) {
          return false;
        }
        inner.touch();
        node = Inner.child(table, Geometry.index(block, inner.level));
      }
      if (node != null) {
        if (!node.isResident()) {
          return false;
        }
        node.touch();
      }
    }
    return true;
  }

  /// Brings into memory what a look at, or a change of, these blocks needs.
  public static void load(@Nullable Inner root, long first, long count, NodeCache cache) {
    for (long block = first; block < first + count; block = Geometry.end(block, 0)) {
      Node node = root;
      while (node instanceof Inner inner) {
        @Nullable Node[] table = cache.children(inner, Geometry.start(block, inner.level));
        inner.touch();
        node = Inner.child(table, Geometry.index(block, inner.level));
      }
      if (node instanceof Leaf leaf) {
        cache.load(leaf, Geometry.start(block, 0));
        leaf.touch();
      }
    }
  }

  /// Told of leaves.
  public interface Leaves {
    /// @param first first block of the leaf
    /// @param entries until it returns
    /// @return whether to go on
    boolean leaf(long first, LeafEntries entries);
  }

  /// Shows every leaf in a span. What it has to read it does not keep; what does not read is passed
  /// over.
  public static void leaves(NodeCache cache, @Nullable Inner root, Span span, Leaves leaves) {
    MapPath path = new MapPath(cache);
    LeafEntries entries = new LeafEntries();
    long block = span.from;
    while (block < span.to) {
      Node node = root;
      int level = Geometry.ROOT_LEVEL;
      try {
        while (node != null && level > 0) {
          node = path.child((Inner) node, block);
          level--;
        }
        if (node instanceof Leaf leaf) {
          cache.read(leaf, Geometry.start(block, 0), entries);
        }
      } catch (StorageException e) {
        node = null;
      }
      if (node != null && !leaves.leaf(Geometry.start(block, 0), entries)) {
        return;
      }
      block = Geometry.end(block, level);
    }
  }

  /// Told of runs of blocks.
  public interface Runs {
    /// @return whether to go on
    boolean run(long first, long count);
  }

  /// Blocks of a volume: [from, to).
  public record Span(long from, long to) {}

  /// Reports every run of blocks in a span that has stored data. Skips holes at the cost of one
  /// look for each absent subtree. What it has to read it does not keep.
  public static void allocated(NodeCache cache, @Nullable Inner root, Span span, Runs runs) {
    differences(cache, root, null, span, runs);
  }

  /// Reports every run of blocks in a span whose address in `one` is not the one in `other`.
  /// Subtrees that both share cost nothing. What it has to read it does not keep.
  public static void differences(
      NodeCache cache, @Nullable Inner one, @Nullable Inner other, Span span, Runs runs) {
    MapPath left = new MapPath(cache);
    MapPath right = new MapPath(cache);
    LeafEntries a = new LeafEntries();
    LeafEntries b = new LeafEntries();
    long block = span.from;
    while (block < span.to) {
      Node mine = one;
      Node theirs = other;
      int level = Geometry.ROOT_LEVEL;
      while (!Node.same(mine, theirs) && level > 0) {
        mine = left.child((Inner) mine, block);
        theirs = right.child((Inner) theirs, block);
        level--;
      }
      long end = Math.min(span.to, Geometry.end(block, level));
      if (!Node.same(mine, theirs)) {
        entries(cache, (Leaf) mine, block, a);
        entries(cache, (Leaf) theirs, block, b);
        if (!report(a, b, block, end, runs)) {
          return;
        }
      }
      block = end;
    }
  }

  private static void entries(NodeCache cache, @Nullable Leaf leaf, long block, LeafEntries into) {
    if (leaf == null) {
      into.clear();
    } else {
      cache.read(leaf, Geometry.start(block, 0), into);
    }
  }

  private static boolean report(LeafEntries a, LeafEntries b, long from, long end, Runs runs) {
    int first = Geometry.index(from, 0);
    int last = first + (int) (end - from);
    int i = first;
    while (i < last) {
      int start = i;
      while (i < last && a.addresses[i] != b.addresses[i]) {
        i++;
      }
      if (i > start && !runs.run(from + start - first, i - start)) {
        return false;
      }
      i++;
    }
    return true;
  }
}

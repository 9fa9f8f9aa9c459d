package io.coppice.engine.map;

import io.coppice.engine.StorageException;
import io.coppice.engine.format.BlockAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Look-ups in maps without a lock. The caller is inside an epoch.
public final class MapReader {

  private MapReader() {}

  /// Copies address and CRC of the blocks that `target` names.
  ///
  /// @param loader reads nodes that are not in memory; absent: such a node ends the call
  /// @return false if something was not in memory: the copy is then incomplete
  public static boolean read(@Nullable Inner root, MapEntries target, @Nullable NodeCache loader) {
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

  private static boolean read(
      Leaf leaf, long block, int run, int at, MapEntries target, @Nullable NodeCache loader) {
    while (!leaf.read(Geometry.index(block, 0), run, target, at)) {
      if (loader == null) {
        return false;
      }
      loader.load(leaf, Geometry.start(block, 0));
    }
    return true;
  }

  /// Notes a use of the nodes needed to read or change these blocks. Needs no epoch.
  ///
  /// @return whether all of them are in memory
  public static boolean touch(@Nullable Inner root, long first, long count) {
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

  /// Brings the nodes needed to read or change these blocks into memory.
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

  /// The receiver of leaves.
  public interface Leaves {
    /// @param first first block of the leaf
    /// @param entries until it returns
    /// @return whether to go on
    boolean leaf(long first, LeafEntries entries);
  }

  /// Shows every leaf in a span. It does not keep nodes that it has to read, and passes over
  /// unreadable ones.
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

  /// The receiver of nodes.
  public interface Nodes {

    /// @param first first block of the node
    void node(Node node, int level, long first);

    /// Whether [#leaf] is called.
    boolean wantsLeaves();

    /// @param entries until it returns
    void leaf(LeafEntries entries);
  }

  /// Shows the nodes of a map on the way to its leaves, each once or more often. It does not keep
  /// nodes that it has to read. It passes over unreadable ones, after showing them.
  ///
  /// @param most blocks from `from` on after which it stops
  /// @return where to go on, at `to` or behind it at the end
  public static long nodes(
      NodeCache cache, @Nullable Inner root, Span span, long most, Nodes told) {
    MapPath path = new MapPath(cache);
    LeafEntries entries = new LeafEntries();
    long block = span.from;
    while (block < span.to && block < span.from + most) {
      Node node = root;
      int level = Geometry.ROOT_LEVEL;
      try {
        while (node != null && level > 0) {
          told.node(node, level, Geometry.start(block, level));
          node = path.child((Inner) node, block);
          level -= 1;
        }
        if (node instanceof Leaf leaf) {
          told.node(leaf, 0, Geometry.start(block, 0));
          if (told.wantsLeaves()) {
            cache.read(leaf, Geometry.start(block, 0), entries);
            told.leaf(entries);
          }
        }
      } catch (StorageException e) {
        // The nodes below cannot be read.
      }
      block = Geometry.end(block, level);
    }
    return block;
  }

  /// The receiver of runs of blocks.
  public interface Runs {
    /// @return whether to go on
    boolean run(long first, long count);
  }

  /// A span of blocks of a volume: [from, to).
  public record Span(long from, long to) {}

  /// Most leaves that one look may read: some tens of milliseconds if none is in memory. To look at
  /// more, leave the epoch in between.
  public static final int LEAVES_AT_ONCE = 128;

  /// Reports runs of blocks in a span that have stored data, of up to [#LEAVES_AT_ONCE] leaves.
  /// Skips holes at the cost of one look for each absent subtree. Does not keep nodes that it has
  /// to read.
  ///
  /// @return the first block that it has not looked at, or the end of the span; if it was told to
  ///   stop, the first block of its last look
  public static long allocated(NodeCache cache, @Nullable Inner root, Span span, Runs runs) {
    return differences(cache, root, null, span, runs);
  }

  /// Reports runs of blocks in a span whose addresses in `one` and in `other` differ, of up to
  /// [#LEAVES_AT_ONCE] leaves. Shared subtrees cost nothing. Does not keep nodes that it has to
  /// read.
  ///
  /// @return as [#allocated]
  public static long differences(
      NodeCache cache, @Nullable Inner one, @Nullable Inner other, Span span, Runs runs) {
    MapPath left = new MapPath(cache);
    MapPath right = new MapPath(cache);
    LeafEntries a = new LeafEntries();
    LeafEntries b = new LeafEntries();
    long block = span.from;
    int leaves = 0;
    while (block < span.to && leaves < LEAVES_AT_ONCE) {
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
        leaves++;
        if (!report(a, b, block, end, runs)) {
          return block;
        }
      }
      block = end;
    }
    return Math.min(block, span.to);
  }

  /// A piece of a map: the node of a level whose first block is at or before `from`, from there on.
  public record Subtree(@Nullable Node node, int level, long from, long to) {

    /// All of a map.
    public static Subtree of(@Nullable Inner root) {
      return new Subtree(root, Geometry.ROOT_LEVEL, 0, Geometry.BLOCKS);
    }
  }

  /// The receiver of entries.
  public interface Entries {

    /// Whether nothing under a node is of interest, judged by the version that owns it.
    boolean isPassedOver(int owner);

    /// An entry that has an address.
    void entry(long address, int born);

    /// Notes that all entries of a leaf have been reported.
    default void leafEnds() {}
  }

  /// Shows every entry with an address in a piece of a map that is not at the same place of
  /// `other`. That is a piece at the same place, or none. Does not keep nodes that it has to read.
  public static void entries(
      NodeCache cache, Subtree piece, @Nullable Node other, Entries entries) {
    entries(cache, piece, other, entries, Integer.MAX_VALUE);
  }

  /// As above, for up to `most` leaves.
  ///
  /// @return the first block that it has not looked at, or the end of the piece
  public static long entries(
      NodeCache cache, Subtree piece, @Nullable Node other, Entries entries, int most) {
    MapPath left = new MapPath(cache);
    MapPath right = new MapPath(cache);
    LeafEntries a = new LeafEntries();
    LeafEntries b = new LeafEntries();
    long block = piece.from;
    int leaves = 0;
    while (block < piece.to && leaves < most) {
      Node mine = piece.node;
      Node theirs = other;
      int level = piece.level;
      boolean isOver = isOver(mine, theirs, entries);
      while (!isOver && level > 0) {
        mine = left.child((Inner) mine, block);
        theirs = right.child((Inner) theirs, block);
        level--;
        isOver = isOver(mine, theirs, entries);
      }
      if (!isOver) {
        entries(cache, (Leaf) mine, block, a);
        entries(cache, (Leaf) theirs, block, b);
        tell(a, b, Geometry.index(block, 0), entries);
        leaves++;
      }
      block = Geometry.end(block, level);
    }
    return Math.min(block, piece.to);
  }

  private static boolean isOver(@Nullable Node mine, @Nullable Node theirs, Entries entries) {
    return mine == null
        || Node.same(mine, theirs)
        || (mine.owner() != Node.UNKNOWN_OWNER && entries.isPassedOver(mine.owner()));
  }

  private static void tell(LeafEntries a, LeafEntries b, int from, Entries entries) {
    for (int i = from; i < Geometry.FANOUT; i++) {
      boolean same = a.addresses[i] == b.addresses[i] && a.born[i] == b.born[i];
      if (a.addresses[i] != BlockAddress.NONE && !same) {
        entries.entry(a.addresses[i], a.born[i]);
      }
    }
    entries.leafEnds();
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

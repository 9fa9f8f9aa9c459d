package io.coppice.engine.family;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.Inner;
import io.coppice.engine.map.Leaf;
import io.coppice.engine.map.LeafEntries;
import io.coppice.engine.map.Node;
import io.coppice.engine.map.NodeCache;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Counts the blocks that one version sees and no other living version of its family does. The
/// caller is inside an epoch; exact when nothing of the family is being changed or reclaimed.
///
/// Looks only where the version, or a ghost above it, has nodes of its own, and stops where a
/// relative has the same node.
public final class UniqueBlocks {

  private final Families families;
  private final NodeCache cache;

  public UniqueBlocks(Families families, NodeCache cache) {
    this.families = families;
    this.cache = cache;
  }

  /// Blocks unique to `version`.
  public long of(Version version) {
    Families.Relatives relatives = families.relatives(version);
    if (relatives.own().size() == 1 && relatives.others().isEmpty()) {
      return Math.max(0, version.owned());
    }
    Set<Integer> ids = new HashSet<>();
    relatives.own().forEach(own -> ids.add(own.id()));
    List<@Nullable Node> others = new ArrayList<>();
    relatives.others().forEach(other -> others.add(other.root()));
    Inner root = version.root();
    return root == null ? 0 : count(root, 0, others, ids);
  }

  private long count(Node node, long first, List<@Nullable Node> others, Set<Integer> ids) {
    for (Node other : others) {
      if (Node.same(other, node)) {
        return 0;
      }
    }
    if (isOthers(node, ids)) {
      return 0;
    }
    return switch (node) {
      case Inner inner -> countInner(inner, first, others, ids);
      case Leaf leaf -> countLeaf(leaf, first, others, ids);
    };
  }

  private boolean isOthers(Node node, Set<Integer> ids) {
    return node.owner() != Node.UNKNOWN_OWNER && !ids.contains(families.resolve(node.owner()));
  }

  private long countInner(Inner inner, long first, List<@Nullable Node> others, Set<Integer> ids) {
    @Nullable Node[] mine = cache.glance(inner, first);
    if (isOthers(inner, ids)) {
      return 0;
    }
    List<@Nullable Node[]> theirs = new ArrayList<>(others.size());
    for (Node other : others) {
      if (other != null) {
        theirs.add(cache.glance((Inner) other, first));
      }
    }
    long sum = 0;
    for (int i = 0; i < Geometry.FANOUT; i++) {
      Node child = Inner.child(mine, i);
      if (child != null) {
        List<@Nullable Node> below = new ArrayList<>(theirs.size());
        for (@Nullable Node[] table : theirs) {
          Node otherChild = Inner.child(table, i);
          if (otherChild != null) {
            below.add(otherChild);
          }
        }
        sum += count(child, first + i * Geometry.span(inner.level() - 1), below, ids);
      }
    }
    return sum;
  }

  private long countLeaf(Leaf leaf, long first, List<@Nullable Node> others, Set<Integer> ids) {
    LeafEntries mine = entries(leaf, first);
    if (isOthers(leaf, ids)) {
      return 0;
    }
    List<LeafEntries> theirs = new ArrayList<>(others.size());
    for (Node other : others) {
      if (other instanceof Leaf theirLeaf) {
        theirs.add(entries(theirLeaf, first));
      }
    }
    long sum = 0;
    for (int i = 0; i < Geometry.FANOUT; i++) {
      long address = mine.address(i);
      if (address != BlockAddress.NONE
          && ids.contains(families.resolve(mine.born(i)))
          && !isSeen(address, mine.born(i), i, theirs)) {
        sum++;
      }
    }
    return sum;
  }

  private LeafEntries entries(Leaf leaf, long first) {
    LeafEntries entries = new LeafEntries();
    cache.read(leaf, first, entries);
    return entries;
  }

  private static boolean isSeen(long address, int born, int index, List<LeafEntries> others) {
    for (LeafEntries other : others) {
      if (other.address(index) == address && other.born(index) == born) {
        return true;
      }
    }
    return false;
  }
}

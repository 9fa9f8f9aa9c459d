package io.coppice.engine.family;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.Inner;
import io.coppice.engine.map.Leaf;
import io.coppice.engine.map.Node;
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

  public UniqueBlocks(Families families) {
    this.families = families;
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
    return root == null ? 0 : count(root, others, ids);
  }

  private long count(Node node, List<@Nullable Node> others, Set<Integer> ids) {
    if (!ids.contains(families.resolve(node.owner()))) {
      return 0;
    }
    for (Node other : others) {
      if (other == node) {
        return 0;
      }
    }
    return switch (node) {
      case Inner inner -> countInner(inner, others, ids);
      case Leaf leaf -> countLeaf(leaf, others, ids);
    };
  }

  private long countInner(Inner inner, List<@Nullable Node> others, Set<Integer> ids) {
    long sum = 0;
    for (int i = 0; i < Geometry.FANOUT; i++) {
      Node child = inner.child(i);
      if (child != null) {
        List<@Nullable Node> below = new ArrayList<>(others.size());
        for (Node other : others) {
          Node otherChild = other == null ? null : ((Inner) other).child(i);
          if (otherChild != null) {
            below.add(otherChild);
          }
        }
        sum += count(child, below, ids);
      }
    }
    return sum;
  }

  private long countLeaf(Leaf leaf, List<@Nullable Node> others, Set<Integer> ids) {
    long sum = 0;
    for (int i = 0; i < Geometry.FANOUT; i++) {
      long address = leaf.address(i);
      if (address != BlockAddress.NONE
          && ids.contains(families.resolve(leaf.born(i)))
          && !isSeen(address, leaf.born(i), i, others)) {
        sum++;
      }
    }
    return sum;
  }

  private static boolean isSeen(long address, int born, int index, List<@Nullable Node> others) {
    for (Node other : others) {
      if (other instanceof Leaf leaf
          && leaf.address(index) == address
          && leaf.born(index) == born) {
        return true;
      }
    }
    return false;
  }
}

package io.coppice.engine.family;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.Inner;
import io.coppice.engine.map.Leaf;
import io.coppice.engine.map.MapEditor;
import io.coppice.engine.map.Node;
import io.coppice.engine.map.Placements;
import org.jspecify.annotations.Nullable;

/// Releases what deleted versions and cut-off subtrees leave, a leaf at a time. Committer only.
///
/// Nothing here is logged. What a crash leaves: the checkpoint has every piece of work with its
/// cursor and the maps as of the same cut, and no zone freed by work done since is reused before
/// the next checkpoint; so the work is simply done again from that cursor. Frees go before merges,
/// in order: a subtree is judged by the same ownership that held when it was cut off.
public final class Reclaimer {

  private final Families families;
  private final MapEditor editor;
  private final Placements placements;

  public Reclaimer(Families families, MapEditor editor, Placements placements) {
    this.families = families;
    this.editor = editor;
    this.placements = placements;
  }

  /// Does up to `steps` steps, each of one leaf or one untouched subtree.
  ///
  /// @return whether more is to be done
  public boolean slice(int steps) {
    for (int i = 0; i < steps; i++) {
      if (!step()) {
        return false;
      }
    }
    return families.isReclaimPending();
  }

  private boolean step() {
    Families.Free free = families.nextFree();
    if (free != null) {
      stepFree(free);
      return true;
    }
    Families.Merge merge = families.currentMerge();
    if (merge != null) {
      stepMerge(merge);
      return true;
    }
    return false;
  }

  private void stepFree(Families.Free free) {
    int owner = families.resolve(free.owner());
    long cursor = walk(owner, free.node(), free.level(), null, free.cursor());
    if (cursor >= free.first() + Geometry.span(free.level())) {
      families.freeDone();
    } else {
      families.freeProgress(free.at(cursor));
    }
  }

  private void stepMerge(Families.Merge merge) {
    Inner from = merge.from().root();
    long cursor =
        from == null
            ? Geometry.BLOCKS
            : walk(merge.from().id(), from, Geometry.ROOT_LEVEL, merge.to().root(), merge.cursor());
    if (cursor >= Geometry.BLOCKS) {
      families.mergeDone(merge);
    } else {
      families.mergeProgress(merge.at(cursor));
    }
  }

  /// Releases, at block `at`, what `owner` owns under `top` and the map `seen` does not hold.
  ///
  /// A node that `owner` does not own has nothing of its in it: a version that writes below a node
  /// copies the node first. A node that is in both maps is left to the other one.
  ///
  /// @return the first block after what was dealt with
  private long walk(int owner, Node top, int level, @Nullable Node seen, long at) {
    Node[] path = new Node[Geometry.ROOT_LEVEL + 1];
    @Nullable Node[] other = new Node[Geometry.ROOT_LEVEL + 1];
    Node mine = top;
    Node theirs = seen;
    int depth = level;
    while (mine != null && mine != theirs && owns(owner, mine, at + 1)) {
      path[depth] = mine;
      other[depth] = theirs;
      if (mine instanceof Inner inner) {
        int index = Geometry.index(at, depth);
        mine = inner.child(index);
        theirs = theirs == null ? null : ((Inner) theirs).child(index);
        depth--;
      } else {
        releaseLeaf(owner, (Leaf) mine, (Leaf) theirs, at);
        depth--;
        break;
      }
    }
    // `depth` is one below the last node entered: skip the child that was not.
    long end = Geometry.end(at, Math.max(depth, 0));
    for (int up = Math.max(depth + 1, 0); up <= level; up++) {
      Node node = path[up];
      if (node != null && Geometry.end(at, up) == end && owns(owner, node, end)) {
        editor.free(node);
      }
    }
    return end;
  }

  private boolean owns(int owner, Node node, long end) {
    return families.ownerNow(node.owner(), end) == owner;
  }

  private void releaseLeaf(int owner, Leaf mine, @Nullable Leaf theirs, long at) {
    long first = Geometry.start(at, 0);
    for (int i = 0; i < Geometry.FANOUT; i++) {
      long address = mine.address(i);
      int born = mine.born(i);
      if (address != BlockAddress.NONE
          && families.ownerNow(born, first + i + 1) == owner
          && (theirs == null || theirs.address(i) != address || theirs.born(i) != born)) {
        placements.released(address, born);
      }
    }
  }
}

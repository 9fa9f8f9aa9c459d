package io.coppice.engine.family;

import io.coppice.engine.StorageException;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.Inner;
import io.coppice.engine.map.Leaf;
import io.coppice.engine.map.LeafEntries;
import io.coppice.engine.map.MapEditor;
import io.coppice.engine.map.Node;
import io.coppice.engine.map.NodeCache;
import io.coppice.engine.map.Placements;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// The releaser of the data that deleted versions and cut-off subtrees leave, one leaf at a time.
/// Committer only.
///
/// Nothing here is logged. What a crash leaves: the checkpoint has every piece of work with its
/// cursor and the maps as of the same cut. No zone freed by later work is reused before the next
/// checkpoint. So the work is simply done again from that cursor. Frees go before merges, in order:
/// a subtree is judged by the ownership that held when it was cut off.
///
/// A node that is not in memory is requested, and the committer does other work meanwhile. A node
/// that cannot be read ends the reclaiming until the pool is opened again. The rest is reported,
/// and is not free.
public final class Reclaimer {

  private static final Logger LOGGER = System.getLogger(Reclaimer.class.getName());

  /// In place of a block, from a walk that made no progress.
  private static final long MISSED = -1;

  /// Most nodes that one step requests: a walk down two maps.
  private static final int MOST_ASKS = 2 * (Geometry.ROOT_LEVEL + 1);

  private final Families families;
  private final MapEditor editor;
  private final NodeCache cache;
  private final Placements placements;
  private final LeafEntries mineEntries = new LeafEntries();
  private final LeafEntries theirEntries = new LeafEntries();
  private @Nullable Prefetch prefetch;
  private @Nullable Node asked;
  private int asks;
  private @Nullable Account cutFrom; // during a walk through what was cut out of its map
  private volatile boolean arrived = true;

  /// The thread that runs a read of the device, and wakes the committer at its end.
  public interface Prefetch {
    void execute(Runnable read);
  }

  public Reclaimer(Families families, MapEditor editor, NodeCache cache, Placements placements) {
    this.families = families;
    this.editor = editor;
    this.cache = cache;
    this.placements = placements;
  }

  /// Makes `others` read missing nodes from now on.
  public void readBy(Prefetch others) {
    prefetch = others;
  }

  /// Does up to `steps` steps, each of one leaf or one untouched subtree.
  ///
  /// @return whether more work is left
  public boolean slice(int steps) {
    if (!arrived || families.isStuck()) {
      return false;
    }
    try {
      for (int i = 0; i < steps; i++) {
        if (!step()) {
          return false;
        }
        asks = 0;
      }
    } catch (StorageException e) {
      families.stuck();
      LOGGER.log(
          Level.ERROR,
          "Space of deleted volumes is not given back until the pool is opened again: {0}",
          e.getMessage());
      return false;
    }
    return families.isReclaimPending();
  }

  private boolean step() {
    Families.Free free = families.nextFree();
    if (free != null) {
      return stepFree(free);
    }
    Families.Merge merge = families.currentMerge();
    return merge != null && stepMerge(merge);
  }

  // Both change together: the cursor tells a reader of accounts which part is missing.
  private boolean stepFree(Families.Free free) {
    synchronized (families) {
      int owner = families.resolve(free.owner());
      cutFrom = free.version() == null ? families.accountOf(free.owner()) : null;
      long cursor;
      try {
        cursor = walk(owner, free.node(), free.level(), null, free.cursor());
      } finally {
        cutFrom = null;
      }
      if (cursor == MISSED) {
        return false;
      }
      if (cursor >= free.first() + Geometry.span(free.level())) {
        families.freeDone();
      } else {
        families.freeProgress(free.at(cursor));
      }
      return true;
    }
  }

  private boolean stepMerge(Families.Merge merge) {
    Inner from = merge.from().root();
    long cursor =
        from == null
            ? Geometry.BLOCKS
            : walk(merge.from().id(), from, Geometry.ROOT_LEVEL, merge.to().root(), merge.cursor());
    if (cursor == MISSED) {
      return false;
    }
    if (cursor >= Geometry.BLOCKS) {
      families.mergeDone(merge);
    } else {
      families.mergeProgress(merge.at(cursor));
    }
    return true;
  }

  /// Releases, at block `at`, what `owner` owns under `top` and the map `seen` does not hold.
  ///
  /// A node that `owner` does not own has none of its data: a version that writes below a node
  /// copies the node first. A node in both maps is left to the other map. In a subtree that was cut
  /// out of a map everything is looked at, for its account.
  ///
  /// @return the first block after the part that was handled, or [#MISSED]
  private long walk(int owner, Node top, int level, @Nullable Node seen, long at) {
    Node[] path = new Node[Geometry.ROOT_LEVEL + 1];
    Node mine = top;
    Node theirs = seen;
    int depth = level;
    while (mine != null && !Node.same(mine, theirs)) {
      if (mayOwn(mine) && askFor(mine, at, depth)) {
        return MISSED;
      }
      if (!owns(owner, mine, at + 1) && countWhole(mine, at, depth)) {
        break;
      }
      if (askFor(mine, at, depth) || (theirs != null && askFor(theirs, at, depth))) {
        return MISSED;
      }
      path[depth] = mine;
      if (mine instanceof Inner inner) {
        mine = child(inner, at);
        theirs = theirs == null ? null : child((Inner) theirs, at);
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

  /// Counts all that is below a node of another version, if that is known at once. Everything below
  /// a node of an account without a parent is of that account.
  ///
  /// @return whether nothing of it is left to be counted
  private boolean countWhole(Node node, long at, int level) {
    Account account = cutFrom;
    if (account == null) {
      return true;
    }
    Account above = families.accountOf(node.owner());
    if (above == null
        || above.parent() != null
        || node.mapped() == Node.UNKNOWN_MAPPED
        || at != Geometry.start(at, level)) {
      return false;
    }
    account.replaced(above, node.mapped());
    return true;
  }

  private @Nullable Node child(Inner inner, long block) {
    @Nullable Node[] table = cache.children(inner, Geometry.start(block, inner.level()));
    return Inner.child(table, Geometry.index(block, inner.level()));
  }

  // Its parent does not say which version owns it.
  private static boolean mayOwn(Node node) {
    return node.owner() == Node.UNKNOWN_OWNER;
  }

  /// Requests a node that is not in memory. A node that was requested and is gone again is read
  /// here at once, and so is every node when a step has asked often: no walk may wait for ever.
  ///
  /// @return whether it will come later
  private boolean askFor(Node node, long block, int level) {
    Prefetch others = prefetch;
    if (node.isResident() || others == null || asked == node || asks > MOST_ASKS) {
      if (node.owner() == Node.UNKNOWN_OWNER) {
        cache.load(node, Geometry.start(block, level));
      }
      return false;
    }
    asks++;
    asked = node;
    arrived = false;
    others.execute(
        () -> {
          try {
            cache.load(node, Geometry.start(block, level));
          } catch (StorageException e) {
            // Read once more by the walk, which says what is wrong.
          } finally {
            arrived = true;
          }
        });
    return true;
  }

  private boolean owns(int owner, Node node, long end) {
    return families.ownerNow(node.owner(), end) == owner;
  }

  private void releaseLeaf(int owner, Leaf mine, @Nullable Leaf theirs, long at) {
    long first = Geometry.start(at, 0);
    cache.read(mine, first, mineEntries);
    if (theirs != null) {
      cache.read(theirs, first, theirEntries);
    }
    boolean owned = owns(owner, mine, first + Geometry.FANOUT);
    for (int i = 0; i < Geometry.FANOUT; i++) {
      long address = mineEntries.address(i);
      int born = mineEntries.born(i);
      if (address != BlockAddress.NONE) {
        countCut(born);
      }
      if (owned
          && address != BlockAddress.NONE
          && families.ownerNow(born, first + i + 1) == owner
          && (theirs == null
              || theirEntries.address(i) != address
              || theirEntries.born(i) != born)) {
        placements.released(address, born);
      }
    }
  }

  private void countCut(int born) {
    Account account = cutFrom;
    Account above = account == null ? null : families.accountOf(born);
    if (account != null && above != null) {
      account.replaced(above, 1);
    }
  }
}

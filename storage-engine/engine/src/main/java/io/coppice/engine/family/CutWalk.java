package io.coppice.engine.family;

import io.coppice.engine.map.EpochGate;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.map.Node;
import io.coppice.engine.map.NodeCache;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A walk through subtrees that were cut out of a map whole and are not counted yet, on the
/// caller's thread. They do not change any more, and the committer waits for no caller.
///
/// The caller is inside an epoch. This leaves and enters it again after each
/// [MapReader#LEAVES_AT_ONCE] leaves. Over a gap only the position is kept. If the reclaimer has
/// gone further meanwhile, the part before it may be gone, and the walk fails.
final class CutWalk {

  private final Families families;
  private final NodeCache cache;
  private final EpochGate.Stay stay;

  /// @param stay of the caller
  CutWalk(Families families, NodeCache cache, EpochGate.Stay stay) {
    this.families = families;
    this.cache = cache;
    this.stay = stay;
  }

  /// The receiver of entries.
  interface Seen {

    /// An entry that left the map of a version. Called under the lock of [Families].
    ///
    /// @param from the account of the version that it was cut out of; absent if that counts for no
    ///   version any more
    /// @param of the account that it is counted in, likewise
    void entry(@Nullable Account from, @Nullable Account of);
  }

  /// @return false if some of it was reclaimed before it was looked at
  boolean walk(List<Families.Free> cuts, Seen seen) {
    Map<Node, Long> cursors = null; // present: as they were when the epoch was entered again
    int leaves = 0;
    for (Families.Free cut : cuts) {
      long end = cut.first() + Geometry.span(cut.level());
      CutEntries entries = new CutEntries(cut, seen);
      long at = cut.cursor();
      while (at < end) {
        if (leaves >= MapReader.LEAVES_AT_ONCE) {
          stay.renew();
          cursors = cursors();
          leaves = 0;
        }
        if (cursors != null && cursors.getOrDefault(cut.node(), Long.MAX_VALUE) > at) {
          return false;
        }
        MapReader.Subtree piece = new MapReader.Subtree(cut.node(), cut.level(), at, end);
        at = MapReader.entries(cache, piece, null, entries, MapReader.LEAVES_AT_ONCE - leaves);
        leaves += entries.takeLeaves();
      }
    }
    return true;
  }

  /// The progress of all pending frees.
  private Map<Node, Long> cursors() {
    Map<Node, Long> cursors = new IdentityHashMap<>();
    synchronized (families) {
      families.waitingFrees().forEach(free -> cursors.put(free.node(), free.cursor()));
    }
    return cursors;
  }

  private final class CutEntries implements MapReader.Entries {
    private final Families.Free cut;
    private final Seen seen;
    private final List<Integer> born = new ArrayList<>();
    private int leaves;

    CutEntries(Families.Free cut, Seen seen) {
      this.cut = cut;
      this.seen = seen;
    }

    @Override
    public boolean isPassedOver(int owner) {
      return false;
    }

    @Override
    public void entry(long address, int bornIn) {
      born.add(bornIn);
    }

    @Override
    public void leafEnds() {
      synchronized (families) {
        Account from = families.accountOf(cut.owner());
        for (int bornIn : born) {
          seen.entry(from, families.accountOf(bornIn));
        }
      }
      born.clear();
      leaves++;
    }

    /// Number of leaves since the last call.
    int takeLeaves() {
      int seenLeaves = leaves;
      leaves = 0;
      return seenLeaves;
    }
  }
}

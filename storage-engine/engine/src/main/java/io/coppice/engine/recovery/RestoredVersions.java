package io.coppice.engine.recovery;

import io.coppice.engine.family.Families;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.NodeAddress;
import io.coppice.engine.format.table.FreeRow;
import io.coppice.engine.format.table.MergeRow;
import io.coppice.engine.format.table.SpaceTable;
import io.coppice.engine.format.table.StateTables;
import io.coppice.engine.format.table.VersionRow;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.Inner;
import io.coppice.engine.map.Node;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.StoredNodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The versions of a checkpoint, put back with their maps. No map is read except, once, in a pool
/// without space accounting.
final class RestoredVersions {

  private final StateTables stored;
  private final PoolState state;
  private final StoredNodes nodes;
  private final Map<Integer, Long> cursors = new HashMap<>();

  RestoredVersions(StateTables stored, PoolState state, StoredNodes nodes) {
    this.stored = stored;
    this.state = state;
    this.nodes = nodes;
  }

  /// Segments, places and live blocks must have been restored.
  ///
  /// @param space absent: everything is counted
  void restore(@Nullable SpaceTable space) {
    if (space != null) {
      state.space().nodesFound(space.leaves(), space.inners());
    }
    MergeRow merge = stored.merge();
    if (merge != null) {
      cursors.put(merge.from(), merge.cursor());
    }
    for (FreeRow free : stored.frees()) {
      if (free.whole()) {
        cursors.put(free.owner(), free.cursor());
      }
    }
    for (int i = 0; i < stored.versions().size(); i++) {
      VersionRow row = stored.versions().get(i);
      Version parent = row.parent() == 0 ? null : require(row.parent());
      long mapped =
          space == null ? MapCensus.mapped(nodes, row.root()) : space.versions().get(i).mapped();
      Inner root = inner(row.root(), Geometry.ROOT_LEVEL, mapped);
      Version version = state.families().restore(row.id(), parent, root, row.ghost());
      if (space != null) {
        SpaceTable.VersionSpace own = space.versions().get(i);
        version.restoreSpace(own.owned(), own.shared());
      }
    }
    restoreWork(merge);
    if (space == null) {
      count();
    }
  }

  private static @Nullable Inner inner(NodeAddress at, int level, long mapped) {
    return at.address() == BlockAddress.NONE ? null : new Inner(stub(at), level, mapped);
  }

  private static Node.Stored stub(NodeAddress at) {
    return new Node.Stored(at.address(), at.crc(), Node.UNKNOWN_OWNER);
  }

  private void restoreWork(@Nullable MergeRow merge) {
    List<Families.Free> frees = new ArrayList<>();
    for (FreeRow row : stored.frees()) {
      frees.add(
          new Families.Free(
              row.owner(),
              state.nodes().stub(stub(row.node()), row.level()),
              row.first(),
              row.level(),
              row.cursor(),
              row.whole() ? require(row.owner()) : null));
    }
    Families.Merge running =
        merge == null
            ? null
            : new Families.Merge(require(merge.from()), require(merge.to()), merge.cursor());
    state.families().restore(stored.aliases(), frees, running, stored.counters().nextVersion());
  }

  private Version require(int version) {
    Version found = state.families().find(version);
    if (found == null) {
      throw new FormatException("expected version %d, found none".formatted(version));
    }
    return found;
  }

  private void count() {
    MapCensus census = new MapCensus(nodes, state);
    for (VersionRow row : stored.versions()) {
      census.count(row.root(), Geometry.ROOT_LEVEL, 0, cursors.getOrDefault(row.id(), 0L));
    }
    for (FreeRow row : stored.frees()) {
      census.count(row.node(), row.level(), row.first(), row.cursor());
    }
    census.finish();
  }
}

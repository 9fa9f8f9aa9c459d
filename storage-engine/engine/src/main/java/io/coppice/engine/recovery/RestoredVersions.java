package io.coppice.engine.recovery;

import io.coppice.engine.checkpoint.CheckpointTables;
import io.coppice.engine.checkpoint.SpaceTables;
import io.coppice.engine.family.Families;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.NodeAddress;
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
/// without books.
final class RestoredVersions {

  private final CheckpointTables.Stored stored;
  private final PoolState state;
  private final StoredNodes nodes;
  private final Map<Integer, Long> cursors = new HashMap<>();

  RestoredVersions(CheckpointTables.Stored stored, PoolState state, StoredNodes nodes) {
    this.stored = stored;
    this.state = state;
    this.nodes = nodes;
  }

  /// Segments and places must have been restored.
  ///
  /// @param books absent: everything is counted
  void restore(@Nullable SpaceTables books) {
    if (books != null) {
      books.restoreAlive(state.segments());
      state.space().nodesFound(books.leaves(), books.inners());
    }
    CheckpointTables.MergeRow merge = stored.merge();
    if (merge != null) {
      cursors.put(merge.from(), merge.cursor());
    }
    for (CheckpointTables.FreeRow free : stored.frees()) {
      if (free.wholeVersion()) {
        cursors.put(free.owner(), free.cursor());
      }
    }
    for (int i = 0; i < stored.versions().size(); i++) {
      CheckpointTables.VersionRow row = stored.versions().get(i);
      Version parent = row.parent() == 0 ? null : require(row.parent());
      long mapped =
          books == null ? MapCensus.mapped(nodes, row.root()) : books.versions().get(i).mapped();
      Inner root = inner(row.root(), Geometry.ROOT_LEVEL, mapped);
      Version version = state.families().restore(row.id(), parent, root, row.ghost());
      if (books != null) {
        SpaceTables.VersionBook book = books.versions().get(i);
        version.restoreBooks(book.owned(), book.shared());
      }
    }
    restoreWork(merge);
    if (books == null) {
      count();
    }
  }

  private static @Nullable Inner inner(NodeAddress at, int level, long mapped) {
    return at.address() == BlockAddress.NONE ? null : new Inner(stub(at), level, mapped);
  }

  private static Node.Stored stub(NodeAddress at) {
    return new Node.Stored(at.address(), at.crc(), Node.UNKNOWN_OWNER);
  }

  private void restoreWork(CheckpointTables.@Nullable MergeRow merge) {
    List<Families.Free> frees = new ArrayList<>();
    for (CheckpointTables.FreeRow row : stored.frees()) {
      frees.add(
          new Families.Free(
              row.owner(),
              state.nodes().stub(stub(row.node()), row.level()),
              row.first(),
              row.level(),
              row.cursor(),
              row.wholeVersion() ? require(row.owner()) : null));
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
    for (CheckpointTables.VersionRow row : stored.versions()) {
      census.count(row.root(), Geometry.ROOT_LEVEL, 0, cursors.getOrDefault(row.id(), 0L));
    }
    for (CheckpointTables.FreeRow row : stored.frees()) {
      census.count(row.node(), row.level(), row.first(), row.cursor());
    }
    census.finish();
  }
}

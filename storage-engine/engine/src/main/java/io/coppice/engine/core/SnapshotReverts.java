package io.coppice.engine.core;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.change.OperationLookup;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.state.Quiesce;
import io.coppice.engine.state.VolumeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The way of volumes back to their snapshots.
///
/// *What a crash leaves:* one record takes all volumes of a call back. It is judged as a whole
/// before it enters the log, and applied as a whole once its last piece is stable, live and in
/// replay alike; a record without its last piece is never applied. No checkpoint is cut while it is
/// partly in the log. So a restart finds all of the volumes back or none of them.
final class SnapshotReverts {

  private final OpenPool pool;
  private final CommitterHousekeeping housekeeping;
  private final PoolLocks locks;

  SnapshotReverts(OpenPool pool, CommitterHousekeeping housekeeping, PoolLocks locks) {
    this.pool = pool;
    this.housekeeping = housekeeping;
    this.locks = locks;
  }

  /// Makes [StorageEngine#revert(OperationId, Map)].
  List<VolumeInfo> revert(OperationId operation, Map<VolumeId, VolumeId> snapshots) {
    List<Change.Reverted> pairs = new ArrayList<>();
    snapshots.forEach((volume, snapshot) -> pairs.add(new Change.Reverted(volume, snapshot)));
    if (pairs.isEmpty()) {
      throw new IllegalArgumentException("expected a volume to revert, got none");
    }
    if (pairs.size() > StorageEngine.MAX_GROUP) {
      throw new StorageException.InvalidRequest(
          "Expected 1 to %d volumes to revert, got %d."
              .formatted(StorageEngine.MAX_GROUP, pairs.size()));
    }
    Change.Reverted first = pairs.getFirst();
    Change change = new Change.Revert(operation, first.volume(), first.snapshot());
    if (pairs.size() > 1) {
      Change.GroupRevert group = new Change.GroupRevert(operation, List.copyOf(pairs));
      allow(group);
      change = group;
    }
    // In one order, so that two such calls never wait for each other.
    List<VolumeState> volumes =
        pairs.stream()
            .map(pair -> pool.state().find(pair.volume()))
            .filter(Objects::nonNull)
            .sorted(Comparator.comparingInt(VolumeState::number))
            .toList();
    return PoolLocks.volumes(quiesced(change, volumes), operation);
  }

  /// Makes the pool say that it has group reverts before it has the first.
  ///
  /// A program without that feature would not know the record, and call the pool damaged. So a
  /// superblock with the feature is stable before the first record enters the log. A crash between
  /// the two leaves the feature without a group revert, which is harmless; the feature stays. What
  /// would be refused, or has happened before, is not worth a feature.
  private void allow(Change.GroupRevert group) {
    if (housekeeping.hasGroupReverts()
        || new OperationLookup(pool, group.operation()).find() != null) {
      return;
    }
    group.volumes().forEach(one -> pool.catalog().checkRevert(one.volume(), one.snapshot()));
    housekeeping.allowGroupReverts();
    housekeeping.checkpoint(pool.committer()::wake);
    pool.service().check();
    if (!housekeeping.hasGroupReverts()) {
      throw new StorageException.OutOfSpace(
          "Expected free zones for the checkpoint before the first group revert, found too few.");
    }
  }

  /// @param waiting those whose writes may be under way
  private OperationResult quiesced(Change change, List<VolumeState> waiting) {
    if (waiting.isEmpty()) {
      return locks.submit(change);
    }
    try (Quiesce _ = new Quiesce(waiting.getFirst(), false)) {
      return quiesced(change, waiting.subList(1, waiting.size()));
    }
  }
}

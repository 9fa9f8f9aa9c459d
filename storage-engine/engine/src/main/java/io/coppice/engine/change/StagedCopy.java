package io.coppice.engine.change;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.state.VolumeState;
import java.util.Objects;

/// A copy onto a hidden volume that one record begins and another one uses up. If anything fails in
/// between, the hidden volume is given up; if the pool has failed, by the next open.
final class StagedCopy {

  private final OpenPool pool;

  StagedCopy(OpenPool pool) {
    this.pool = pool;
  }

  /// The filling of the hidden volume, and the record that uses it up.
  interface Steps {
    OperationResult run(VolumeState hidden);
  }

  /// @param begin the record that makes the hidden volume `id`
  OperationResult run(Change begin, VolumeId id, Steps steps) {
    change(begin);
    try {
      return steps.run(Objects.requireNonNull(pool.state().findStage(id), "the hidden volume"));
    } catch (RuntimeException e) {
      giveUp(id, e);
      throw e;
    }
  }

  private void giveUp(VolumeId id, RuntimeException reason) {
    try {
      change(new Change.Unstage(OperationId.random(), id));
    } catch (StorageException e) {
      reason.addSuppressed(e);
    }
  }

  /// Makes a change and waits for its end.
  OperationResult change(Change change) {
    ChangeCommand command = new ChangeCommand(pool, change);
    pool.committer().submit(command);
    return command.await(null);
  }
}

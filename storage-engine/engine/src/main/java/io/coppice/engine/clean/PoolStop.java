package io.coppice.engine.clean;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.Batch;
import io.coppice.engine.log.Command;

/// Has the committer stop the pool for what another thread has met: nothing more is acknowledged,
/// and everybody who waits is told.
final class PoolStop extends Command {

  private final RuntimeException cause;

  /// @param cause a [StorageException], which is told as it is, or a failure of the device, of
  ///   which nothing more is believed when it could not make a write stable
  PoolStop(RuntimeException cause) {
    this.cause = cause;
  }

  @Override
  protected boolean admit() {
    throw cause;
  }

  @Override
  protected boolean append(Batch batch) {
    throw cause;
  }

  @Override
  protected void apply() {}

  @Override
  protected void fail(StorageException failure) {}
}

package io.coppice.engine.clean;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.Batch;
import io.coppice.engine.log.Command;

/// A command that makes the committer stop the pool because of another thread's failure. Nothing
/// more is acknowledged, and all who wait are told.
final class PoolStop extends Command {

  private final RuntimeException cause;

  /// @param cause a [StorageException], which is told as it is, or a failure of a device, which is
  ///   trusted no more when it could not make a write stable
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

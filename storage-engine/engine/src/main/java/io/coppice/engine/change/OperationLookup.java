package io.coppice.engine.change;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.log.Batch;
import io.coppice.engine.log.Command;
import io.coppice.engine.state.CrossThreadFailures;
import io.coppice.engine.thread.Uninterrupted;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// A question to the committer, who owns the table: an operation's result. Writes nothing.
public final class OperationLookup extends Command {

  private final OpenPool pool;
  private final OperationId operation;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable OperationResult result;
  private volatile @Nullable StorageException failure;

  public OperationLookup(OpenPool pool, OperationId operation) {
    this.pool = pool;
    this.operation = operation;
  }

  /// The result, or null if the operation is not known.
  @Nullable
  public OperationResult find() {
    pool.committer().submit(this);
    Uninterrupted.await(ended::await);
    StorageException reason = failure;
    if (reason != null) {
      throw CrossThreadFailures.here(reason);
    }
    return result;
  }

  @Override
  protected boolean admit() {
    result = pool.state().operations().find(operation);
    ended.countDown();
    return false;
  }

  @Override
  protected boolean append(Batch batch) {
    return true;
  }

  @Override
  protected void apply() {}

  @Override
  protected void fail(StorageException reason) {
    failure = reason;
    ended.countDown();
  }
}

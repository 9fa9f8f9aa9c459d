package io.coppice.engine.change;

import io.coppice.engine.StorageException;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.log.Batch;
import io.coppice.engine.log.Command;
import io.coppice.engine.state.CrossThreadFailures;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A [Change] on its way into the log, and the caller's wait for it.
public final class ChangeCommand extends Command {

  private enum Phase {
    QUEUED,
    TAKEN,
    WITHDRAWN
  }

  private final OpenPool pool;
  private final Change change;
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.QUEUED);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable OperationResult result;
  private volatile @Nullable StorageException failure;

  private byte[] bytes = {};
  private int appended;

  public ChangeCommand(OpenPool pool, Change change) {
    this.pool = pool;
    this.change = change;
  }

  @Override
  protected boolean isChange() {
    return true;
  }

  @Override
  protected boolean admit() {
    if (!phase.compareAndSet(Phase.QUEUED, Phase.TAKEN)) {
      return false;
    }
    OperationResult earlier = pool.state().operations().find(change.operation());
    if (earlier != null) {
      end(earlier);
      return false;
    }
    try {
      pool.gate().publishRoom();
      pool.catalog().check(change);
    } catch (StorageException.OutOfSpace e) {
      if (!pool.gate().mayHelp(this)) {
        fail(e);
      }
      return false;
    } catch (StorageException e) {
      fail(e);
      return false;
    }
    if (!pool.gate().admit(this)) {
      return false;
    }
    bytes = change.encode();
    return true;
  }

  @Override
  protected void readmit() {
    super.readmit();
    phase.set(Phase.QUEUED);
  }

  @Override
  protected boolean append(Batch batch) {
    int added = batch.change(bytes, appended);
    while (added > 0) {
      appended += added;
      if (appended == bytes.length) {
        return true;
      }
      added = batch.change(bytes, appended);
    }
    return false;
  }

  @Override
  protected void apply() {
    end(pool.catalog().apply(change, pool.log().lastTimeMillis()));
  }

  private void end(OperationResult value) {
    result = value;
    ended.countDown();
  }

  @Override
  protected void fail(StorageException reason) {
    failure = reason;
    ended.countDown();
  }

  /// Waits for the end.
  ///
  /// @param timeout how long the change may wait for its place in the log; absent: for ever
  /// @throws StorageException.TimedOut if it was withdrawn in time
  public OperationResult await(@Nullable Duration timeout) {
    boolean interrupted = false;
    boolean patient = timeout == null;
    while (true) {
      try {
        if (patient) {
          ended.await();
        } else if (!ended.await(nanos(timeout), TimeUnit.NANOSECONDS)) {
          if (phase.compareAndSet(Phase.QUEUED, Phase.WITHDRAWN)) {
            throw new StorageException.TimedOut(
                "Operation %s did not begin within %s and was withdrawn."
                    .formatted(change.operation(), timeout));
          }
          patient = true;
          continue;
        }
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return outcome();
  }

  private static long nanos(@Nullable Duration timeout) {
    try {
      return timeout == null ? Long.MAX_VALUE : timeout.toNanos();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  private OperationResult outcome() {
    StorageException reason = failure;
    if (reason != null) {
      throw CrossThreadFailures.here(reason);
    }
    OperationResult value = result;
    if (value == null) {
      throw new IllegalStateException("operation %s has no result".formatted(change.operation()));
    }
    return value;
  }
}

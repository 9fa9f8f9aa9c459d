package io.coppice.engine.state;

import io.coppice.engine.StorageException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Short questions about the state. The committer answers them between batches, as of one moment
/// and with nothing under way.
///
/// A question may put the state in order for its answer, as [OldBlockKeeper#settle] does. If that
/// fails with [StorageException.DeviceFailed], the pool stops, as with a command: the state may be
/// half changed.
public final class CommitterQueries {

  private static final long PATIENCE_MILLIS = 100;

  private final PoolService service;
  private final Runnable wake;
  private final ArrayDeque<Runnable> asked = new ArrayDeque<>(); // guarded by this
  private volatile boolean any;

  /// @param wake makes the committer look
  public CommitterQueries(PoolService service, Runnable wake) {
    this.service = service;
    this.wake = wake;
  }

  /// Waits for the answer. Finding it must take less than a millisecond.
  ///
  /// @throws StorageException.DeviceFailed if the pool is closed or has failed
  public <T> T ask(Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    synchronized (this) {
      asked.add(
          () -> {
            try {
              answer.complete(question.get());
            } catch (StorageException.DeviceFailed e) {
              answer.completeExceptionally(e);
              throw e;
            } catch (RuntimeException e) {
              answer.completeExceptionally(e);
            }
          });
      any = true;
    }
    wake.run();
    while (true) {
      try {
        return answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        service.check();
      } catch (ExecutionException e) {
        throw new StorageException.DeviceFailed(
            "A question about the pool failed: " + e.getCause(), e);
      } catch (InterruptedException e) {
        // Asked by threads of the engine's own; an interrupt means nothing to them.
        continue;
      }
    }
  }

  /// Committer only: answers one of them.
  ///
  /// @return whether more are waiting
  /// @throws StorageException.DeviceFailed if the pool must stop
  public boolean answer() {
    if (!any) {
      return false;
    }
    Runnable next;
    boolean more;
    synchronized (this) {
      next = asked.poll();
      more = !asked.isEmpty();
      any = more;
    }
    if (next != null) {
      next.run();
    }
    return more;
  }
}

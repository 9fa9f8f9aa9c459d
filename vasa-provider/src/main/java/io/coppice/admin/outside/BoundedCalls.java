package io.coppice.admin.outside;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The calls to a server of others: so many at a time, and each with an end. A call runs on a
/// virtual thread of its own. When its time is over, that thread is interrupted, which closes the
/// socket that it reads from or writes to, so that a server which hangs holds nobody.
public final class BoundedCalls {

  private final String name;
  private final int most;
  private final Duration patience;
  private final Semaphore places;

  /// @param name of the threads
  /// @param most calls at a time
  /// @param patience the longest time of a call, with the wait for its turn
  public BoundedCalls(String name, int most, Duration patience) {
    this.name = name;
    this.most = most;
    this.patience = patience;
    this.places = new Semaphore(most);
  }

  /// A call whose time is over.
  public static final class OverdueException extends Exception {

    private static final long serialVersionUID = 1L;

    OverdueException(String message) {
      super(message);
    }
  }

  /// The result of a call.
  ///
  /// @throws OverdueException if it did not end in time; it is being ended
  /// @throws ExecutionException with what the work threw
  public <T> T call(Callable<T> work) throws OverdueException, ExecutionException {
    long end = System.nanoTime() + patience.toNanos();
    try {
      if (!places.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new OverdueException(
            "%d calls were under way for %s".formatted(most, seconds(patience)));
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
    return await(begin(work), end);
  }

  private <T> FutureTask<T> begin(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofVirtual()
        .name(name)
        .start(
            () -> {
              try {
                task.run();
              } finally {
                places.release();
              }
            });
    return task;
  }

  private <T> T await(FutureTask<T> task, long end) throws OverdueException, ExecutionException {
    try {
      return task.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      task.cancel(true);
      throw new OverdueException("there was no answer in " + seconds(patience));
    } catch (InterruptedException e) {
      task.cancel(true);
      throw interrupted();
    }
  }

  private static OverdueException interrupted() {
    Thread.currentThread().interrupt();
    return new OverdueException("the wait was interrupted");
  }

  /// Calls under way, those included that are being ended.
  public int underWay() {
    return most - places.availablePermits();
  }

  /// A time for people, such as `2.5 s`.
  public static String seconds(Duration time) {
    long millis = time.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis / 1000.0 + " s";
  }
}

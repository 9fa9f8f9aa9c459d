package io.coppice.admin.metrics;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Calls that may hang, each in a thread of its own, so that nobody waits for one longer than a
/// limit. Callers that ask for the same thing at a time share one call.
///
/// A call that takes too long is interrupted, which ends a wait for the database. One that goes on
/// nevertheless is not made a second time: whoever asks for the same is refused at once. So hanging
/// calls hold neither the callers' threads nor more of their own than a limit.
///
/// Safe for any thread.
final class SharedCalls<K, V> {

  private final Duration patience;
  private final int most;

  // Guarded by this.
  private final Map<K, Call<V>> running = new HashMap<>();

  /// @param patience the longest life of a call
  /// @param most calls at a time
  SharedCalls(Duration patience, int most) {
    this.patience = patience;
    this.most = most;
  }

  /// A call that did not end in time, or was not begun because too many run.
  static final class OverdueException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OverdueException(String message) {
      super(message);
    }
  }

  private record Call<V>(FutureTask<V> task, long began) {}

  /// The result of `work`, or of a call for the same key that runs already.
  ///
  /// @throws OverdueException if there is none in time
  /// @throws RuntimeException that `work` threw
  V call(K key, Supplier<V> work) {
    Call<V> call = join(key, work);
    try {
      long left = patience.toNanos() - (System.nanoTime() - call.began());
      return call.task().get(left, TimeUnit.NANOSECONDS);
    } catch (TimeoutException | CancellationException e) {
      call.task().cancel(true);
      throw new OverdueException("expected an answer within %s, got none".formatted(patience));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OverdueException("interrupted");
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException known -> throw known;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  private synchronized Call<V> join(K key, Supplier<V> work) {
    Call<V> known = running.get(key);
    if (known != null && !hasResult(known)) {
      return known;
    }
    if (known == null && running.size() >= most) {
      throw new OverdueException("expected at most %d calls at a time, got more".formatted(most));
    }
    Call<V> call = new Call<>(new FutureTask<>(work::get), System.nanoTime());
    running.put(key, call);
    Thread.ofVirtual()
        .name("metrics")
        .start(
            () -> {
              try {
                call.task().run();
              } finally {
                ended(key, call);
              }
            });
    return call;
  }

  // The result is there a moment before its thread says so. Whoever comes then wants a newer one.
  private static boolean hasResult(Call<?> call) {
    return switch (call.task().state()) {
      case SUCCESS, FAILED -> true;
      case RUNNING, CANCELLED -> false; // one that was cancelled may go on for long
    };
  }

  private synchronized void ended(K key, Call<V> call) {
    running.remove(key, call);
  }
}

package io.coppice.engine.testing;

import io.coppice.engine.CompareCompletion;
import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Turns the engine's completions into something a test can wait for, with a bound.
public final class Await {

  private static final int BOUND_SECONDS = 30;

  private Await() {}

  /// Starts an I/O and gives the future of its end.
  public static CompletableFuture<Void> start(Consumer<Completion> io) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    io.accept(
        new Completion() {
          @Override
          public void succeeded() {
            future.complete(null);
          }

          @Override
          public void failed(StorageException failure) {
            future.completeExceptionally(failure);
          }
        });
    return future;
  }

  /// Does an I/O here and gives the future of its end, which has come.
  public static CompletableFuture<Void> here(Runnable io) {
    try {
      io.run();
      return CompletableFuture.completedFuture(null);
    } catch (StorageException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// Starts an I/O and waits for its end.
  ///
  /// @throws StorageException as the I/O ended
  public static void io(Consumer<Completion> io) {
    await(start(io));
  }

  /// Starts a compare-and-write and waits for its end.
  ///
  /// @return the mismatch offset, or -1 if the bytes were written
  public static long compare(Consumer<CompareCompletion> io) {
    return await(startCompare(io));
  }

  /// Starts a compare-and-write and gives the future of the mismatch offset, or -1 if the bytes
  /// were written.
  public static CompletableFuture<Long> startCompare(Consumer<CompareCompletion> io) {
    CompletableFuture<Long> future = new CompletableFuture<>();
    io.accept(
        new CompareCompletion() {
          @Override
          public void written() {
            future.complete(-1L);
          }

          @Override
          public void miscompared(long mismatchOffset) {
            future.complete(mismatchOffset);
          }

          @Override
          public void failed(StorageException failure) {
            future.completeExceptionally(failure);
          }
        });
    return future;
  }

  /// Waits for what other threads bring about.
  ///
  /// @throws AssertionError if it does not come in time
  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("expected within %d s: %s".formatted(BOUND_SECONDS, what));
      }
      Thread.onSpinWait();
    }
  }

  /// @throws StorageException as the I/O ended
  /// @throws AssertionError if it does not end in time
  public static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StorageException failure) {
        throw failure;
      }
      throw new AssertionError("the I/O ended with something unexpected", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("the I/O did not end within %d s".formatted(BOUND_SECONDS), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}

package io.coppice.kit;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/// Callers that share a number of pieces of work, each taking the next one when it has ended its
/// last.
public final class Callers {

  private Callers() {}

  /// Runs `work` for each number from 0 on, and ends early at a failure.
  ///
  /// @throws IllegalStateException with the first failure as its cause
  public static void run(int callers, int times, IntConsumer work) {
    AtomicInteger next = new AtomicInteger();
    ConcurrentLinkedQueue<RuntimeException> failed = new ConcurrentLinkedQueue<>();
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < callers; i++) {
        workers.execute(
            () -> {
              int number = next.getAndIncrement();
              while (number < times && failed.isEmpty()) {
                try {
                  work.accept(number);
                } catch (RuntimeException e) { // rethrown below
                  failed.add(e);
                }
                number = next.getAndIncrement();
              }
            });
      }
    }
    RuntimeException first = failed.peek();
    if (first != null) {
      throw new IllegalStateException("expected all calls to succeed: " + first, first);
    }
  }
}

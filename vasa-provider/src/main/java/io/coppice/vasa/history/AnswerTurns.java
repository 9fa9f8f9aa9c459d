package io.coppice.vasa.history;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Turns at something that only some may do at a time; others wait in their order.
final class AnswerTurns {

  private final Semaphore free;

  AnswerTurns(int most) {
    free = new Semaphore(most, true);
  }

  <T> T call(Supplier<T> work) {
    free.acquireUninterruptibly();
    try {
      return work.get();
    } finally {
      free.release();
    }
  }
}

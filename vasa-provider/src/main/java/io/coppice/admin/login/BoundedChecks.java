package io.coppice.admin.login;

import io.coppice.admin.problem.RequestRejectedException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;

/// A bound on work that strangers cause. A few may wait a moment for their turn; all others are
/// refused at once, so that neither processors nor threads are taken from those who are served.
final class BoundedChecks {

  private static final int WAITING_FOR_EACH = 4;
  private static final int PATIENCE_SECONDS = 2;

  private final Semaphore turns;
  private final int most;

  /// @param most that run at a time
  BoundedChecks(int most) {
    this.most = most;
    turns = new Semaphore(most, true);
  }

  /// @throws RequestRejectedException (503) if there is no turn in time; nothing was done then
  <T> T call(Supplier<T> work) {
    if (!isMyTurn()) {
      throw new RequestRejectedException(
          HttpStatus.SERVICE_UNAVAILABLE,
          "busy",
          null,
          "too many passwords are being checked now; repeat the request later");
    }
    try {
      return work.get();
    } finally {
      turns.release();
    }
  }

  private boolean isMyTurn() {
    if (turns.getQueueLength() >= most * WAITING_FOR_EACH) {
      return turns.tryAcquire();
    }
    try {
      return turns.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

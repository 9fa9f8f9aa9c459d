package io.coppice.driver.iscsi;

import io.coppice.driver.scsi.TransportException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// CmdSN and the window the target leaves open, RFC 7143 §4.2.2.1. Its lock guards all fields.
final class CommandWindow {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int cmdSn;
  private int maxCmdSn;
  private @Nullable Throwable failure;

  CommandWindow(int cmdSn, int maxCmdSn) {
    this.cmdSn = cmdSn;
    this.maxCmdSn = maxCmdSn;
  }

  /// Hands the next CmdSN to `send` once the window is open. `send` runs under the lock, so
  /// commands enter the outgoing queue in the order of their numbers; it must not block.
  void next(Duration timeout, IntConsumer send) {
    lock.lock();
    try {
      long nanos = timeout.toNanos();
      while (failure == null && cmdSn - maxCmdSn > 0) {
        if (nanos <= 0) {
          throw new TransportException(
              "expected the command window to open within %s, MaxCmdSN stays %d"
                  .formatted(timeout, maxCmdSn));
        }
        nanos = changed.awaitNanos(nanos);
      }
      requireAlive();
      send.accept(cmdSn++);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransportException("interrupted while the command window was closed", e);
    } finally {
      lock.unlock();
    }
  }

  /// Hands the present CmdSN to `send`, for a PDU marked for immediate delivery.
  void immediate(IntConsumer send) {
    lock.lock();
    try {
      requireAlive();
      send.accept(cmdSn);
    } finally {
      lock.unlock();
    }
  }

  void update(int newMaxCmdSn) {
    lock.lock();
    try {
      if (newMaxCmdSn - maxCmdSn > 0) {
        maxCmdSn = newMaxCmdSn;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Ends the window; only the first cause is kept.
  void fail(Throwable cause) {
    lock.lock();
    try {
      if (failure == null) {
        failure = cause;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether the session still lives.
  boolean alive() {
    lock.lock();
    try {
      return failure == null;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until the session has failed, at most `timeout`.
  boolean awaitFailure(Duration timeout) throws InterruptedException {
    lock.lock();
    try {
      long nanos = timeout.toNanos();
      while (failure == null && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      return failure != null;
    } finally {
      lock.unlock();
    }
  }

  private void requireAlive() {
    if (failure != null) {
      throw new TransportException("the iSCSI session is down: " + failure.getMessage(), failure);
    }
  }
}

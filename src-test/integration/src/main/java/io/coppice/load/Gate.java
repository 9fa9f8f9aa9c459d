package io.coppice.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A gate that every call to the provider passes, so that it can be looked at, or killed, while
/// nobody calls. Safe for several threads.
final class Gate {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean closed;
  private int inside;
  private final AtomicLong closings = new AtomicLong();
  private final AtomicLong kills = new AtomicLong();

  /// Waits while the gate is closed.
  ///
  /// @return how many kills there were before
  long enter() {
    lock.lock();
    try {
      while (closed) {
        changed.awaitUninterruptibly();
      }
      inside++;
      return kills.get();
    } finally {
      lock.unlock();
    }
  }

  void leave() {
    lock.lock();
    try {
      inside--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Lets nobody in any more and waits until all have left.
  void close() {
    close(false, () -> {});
  }

  /// Lets nobody in any more, kills the provider under those who are inside, and waits for their
  /// calls to fail.
  void closeAndKill(Runnable kill) {
    close(true, kill);
  }

  private void close(boolean killing, Runnable kill) {
    lock.lock();
    try {
      closed = true;
      closings.incrementAndGet();
      kills.addAndGet(killing ? 1 : 0);
    } finally {
      lock.unlock();
    }
    kill.run();
    lock.lock();
    try {
      while (inside > 0) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  void open() {
    lock.lock();
    try {
      closed = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// How often it was closed: what takes longer than one such count had to wait.
  long closings() {
    return closings.get();
  }

  long kills() {
    return kills.get();
  }
}

package io.coppice.iscsi;

import java.util.concurrent.atomic.AtomicLong;

/// How much Data-Out all sessions hold together, in bytes. Safe for any thread.
final class DataMemory {

  private final long limit;
  private final AtomicLong used = new AtomicLong();

  DataMemory(long limit) {
    this.limit = limit;
  }

  /// @return whether there was room; if not, nothing is taken
  boolean take(int length) {
    if (used.addAndGet(length) <= limit) {
      return true;
    }
    used.addAndGet(-length);
    return false;
  }

  void giveBack(int length) {
    used.addAndGet(-length);
  }

  long used() {
    return used.get();
  }
}

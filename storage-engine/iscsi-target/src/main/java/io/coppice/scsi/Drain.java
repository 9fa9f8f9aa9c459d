package io.coppice.scsi;

import java.util.concurrent.atomic.AtomicInteger;

/// Runs an action once everything it waits for has ended. The maker holds one reference itself
/// until it has named everything.
final class Drain {

  private final AtomicInteger references = new AtomicInteger(1);
  private final Runnable action;

  Drain(Runnable action) {
    this.action = action;
  }

  void retain() {
    references.incrementAndGet();
  }

  void release() {
    if (references.decrementAndGet() == 0) {
      action.run();
    }
  }
}

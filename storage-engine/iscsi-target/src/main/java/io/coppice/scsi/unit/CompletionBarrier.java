package io.coppice.scsi.unit;

import java.util.concurrent.atomic.AtomicInteger;

/// A barrier that runs an action once everything it waits for has ended. Its maker holds one
/// reference until it has named everything.
public final class CompletionBarrier {

  private final AtomicInteger references = new AtomicInteger(1);
  private final Runnable action;

  public CompletionBarrier(Runnable action) {
    this.action = action;
  }

  public void retain() {
    references.incrementAndGet();
  }

  public void release() {
    if (references.decrementAndGet() == 0) {
      action.run();
    }
  }
}

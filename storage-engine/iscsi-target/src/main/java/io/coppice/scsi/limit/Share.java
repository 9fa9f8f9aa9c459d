package io.coppice.scsi.limit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One limit, and the queues that share it. Guarded by the lock of [FairQueues].
final class Share {

  private final Meter meter;

  /// The queues in which something waits.
  private final List<FairQueue> waiting = new ArrayList<>(1);

  /// Start tag of the I/O served last. A queue that was idle begins there.
  private double virtualTime;

  Share(long burstNanos) {
    meter = new Meter(burstNanos);
  }

  Meter meter() {
    return meter;
  }

  List<FairQueue> waiting() {
    return waiting;
  }

  void began(FairQueue queue) {
    queue.joinAt(virtualTime);
    waiting.add(queue);
  }

  /// The queue whose turn it is: the one with the smallest tag among those that may go on; null if
  /// none may.
  @Nullable FairQueue next(long now) {
    if (!meter.isReady(now)) {
      return null;
    }
    FairQueue best = null;
    for (FairQueue queue : waiting) {
      if (queue.meter().isReady(now) && (best == null || queue.tag() < best.tag())) {
        best = queue;
      }
    }
    return best;
  }

  void served(FairQueue queue, long bytes, long now) {
    meter.charge(bytes, now);
    virtualTime = Math.max(virtualTime, queue.tag());
  }

  /// The factor by which a queue takes longer beside the others that wait than it would alone.
  double others(FairQueue queue) {
    double weights = 0;
    for (FairQueue one : waiting) {
      weights += one.weight();
    }
    return Math.max(1, weights / queue.weight());
  }

  /// The time at which [#next] may find a queue.
  long readyAt() {
    long at = Long.MAX_VALUE;
    for (FairQueue queue : waiting) {
      at = Math.min(at, queue.meter().readyAt());
    }
    return Math.max(at, meter.readyAt());
  }
}

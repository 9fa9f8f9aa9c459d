package io.coppice.engine.io;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.ReadQueue;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// The queues of a device. On a mirror, those of both devices take reads in turn. A device that is
/// left out gets no more.
final class DeviceQueues {

  private final BlockDevice device;
  private final Others others;
  private final List<QueuedReads> queues = new CopyOnWriteArrayList<>(); // none is taken away
  private final Set<Integer> opened = new HashSet<>(); // numbers of copies; guarded by this
  private final AtomicInteger turns = new AtomicInteger();
  private boolean closed; // guarded by this

  /// The reader for reads that a queue did not complete.
  interface Others {

    /// @param number of the copy whose queue it was ([BlockDevice#copies])
    void readAgain(PiecewiseRead read, int number);
  }

  DeviceQueues(BlockDevice device, Others others) {
    this.device = device;
    this.others = others;
    open();
  }

  /// Opens a queue of each copy that has none yet, if it can have one. A copy that was left out of
  /// a mirror does not come back while the mirror is open.
  synchronized void open() {
    for (BlockDevice.Copy copy : device.copies()) {
      if (!closed && opened.add(copy.number())) {
        ReadQueue queue = copy.device().readQueue();
        if (queue != null) {
          QueuedReads reads = new QueuedReads(queue, read -> others.readAgain(read, copy.number()));
          reads.start();
          queues.add(reads);
        }
      }
    }
  }

  /// Whether a queue takes reads now.
  boolean isUseful() {
    for (int i = 0; i < queues.size(); i++) {
      if (queues.get(i).isUseful()) {
        return true;
      }
    }
    return false;
  }

  /// Begins a read, or lets it wait for its turn.
  ///
  /// @return false if the caller has to arrange the read otherwise
  boolean offer(PiecewiseRead read) {
    int count = queues.size();
    int turn = count > 1 ? turns.getAndIncrement() & 1 : 0;
    for (int i = 0; i < count; i++) {
      if (queues.get((turn + i) % count).offer(read)) {
        return true;
      }
    }
    return false;
  }

  /// Takes no more reads, and waits for the reads under way to end.
  void awaitEnd() {
    synchronized (this) {
      closed = true;
    }
    queues.forEach(QueuedReads::awaitEnd);
  }
}

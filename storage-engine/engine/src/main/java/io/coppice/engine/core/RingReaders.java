package io.coppice.engine.core;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.ReadQueue;
import io.coppice.engine.thread.Uninterrupted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A few threads that read a device through a queue of their own each, where it has such: all reads
/// that wait are begun in one step.
///
/// A thread is woken only if none is about to look anyway, so what comes meanwhile is taken along.
final class RingReaders {

  /// Reads that a thread has begun or is about to at a time.
  private static final int AT_A_TIME = 32;

  private final BlockDevice device;
  private final int most;
  private final Consumer<PiecewiseRead> others;
  private final ArrayDeque<PiecewiseRead> waiting = new ArrayDeque<>(); // guarded by this
  private final List<Thread> threads = new ArrayList<>(); // guarded by this
  private int idle; // guarded by this
  private boolean waking; // guarded by this
  private boolean closed; // guarded by this
  private volatile boolean useful = true;

  /// @param most threads
  /// @param others takes reads that these threads cannot do
  RingReaders(BlockDevice device, int most, Consumer<PiecewiseRead> others) {
    this.device = device;
    this.most = most;
    this.others = others;
  }

  /// Whether the device is known to have no queues, or these to be closed, if false.
  boolean isUseful() {
    return useful;
  }

  /// @return false if somebody else has to do it
  synchronized boolean offer(PiecewiseRead read) {
    if (!useful || closed) {
      return false;
    }
    waiting.addLast(read);
    wakeOne();
    return true;
  }

  private synchronized void wakeOne() {
    if (waking || waiting.isEmpty()) {
      return;
    }
    if (idle > 0) {
      waking = true;
      notify();
    } else if (threads.size() < most) {
      waking = true;
      String name = "coppice-ring-" + threads.size();
      threads.add(Thread.ofPlatform().name(name).daemon().start(this::run));
    }
  }

  private void run() {
    boolean goesOn = false;
    try {
      do {
        goesOn = serve();
      } while (goesOn && !isOver());
    } finally {
      if (!goesOn) {
        leave();
      }
    }
  }

  /// Reads through one queue until it is not useful any more, or nothing more will come.
  ///
  /// @return false if there is none
  private boolean serve() {
    try (ReadQueue queue = device.readQueue()) {
      if (queue == null) {
        return false;
      }
      Turn turn = new Turn(queue);
      while (queue.isUseful() && take(turn.begun, !turn.isBusy())) {
        turn.run();
      }
      turn.finish();
      return true;
    }
  }

  private synchronized boolean isOver() {
    return !useful || (closed && waiting.isEmpty());
  }

  /// What a thread does between two looks at what waits.
  private static final class Turn {

    private final ReadQueue queue;
    private final ArrayDeque<PiecewiseRead> begun = new ArrayDeque<>();
    private final List<PiecewiseRead> fed = new ArrayList<>();
    private final ArrayDeque<PiecewiseRead.Piece> spare = new ArrayDeque<>();

    Turn(ReadQueue queue) {
      this.queue = queue;
    }

    boolean isBusy() {
      return !begun.isEmpty() || !fed.isEmpty();
    }

    void run() {
      if (fed.isEmpty() && begun.size() == 1 && begun.getFirst().isOnePiece()) {
        guarded(begun.removeFirst(), PiecewiseRead::runHere);
        return;
      }
      PiecewiseRead read = begun.peekFirst();
      while (read != null && read.feed(queue, spare)) {
        fed.add(begun.removeFirst());
        read = begun.peekFirst();
      }
      queue.await();
      end();
    }

    /// After the pieces of all were looked at, so that their owners hear of them together.
    private void end() {
      int left = 0;
      for (int i = 0; i < fed.size(); i++) {
        PiecewiseRead read = fed.get(i);
        if (read.isOver()) {
          guarded(read, PiecewiseRead::end);
        } else {
          fed.set(left++, read);
        }
      }
      while (fed.size() > left) {
        fed.removeLast();
      }
    }

    private static void guarded(PiecewiseRead read, Consumer<PiecewiseRead> end) {
      try {
        end.accept(read);
      } catch (RuntimeException | Error e) { // the owner's; the others must not be lost with it
        Thread self = Thread.currentThread();
        self.getUncaughtExceptionHandler().uncaughtException(self, e);
      }
    }

    void finish() {
      while (isBusy()) {
        run();
      }
    }
  }

  /// Moves what waits to a thread's own.
  ///
  /// @param wait until there is something
  /// @return false if there will be no more
  private synchronized boolean take(ArrayDeque<PiecewiseRead> own, boolean wait) {
    waking = false;
    while (wait && waiting.isEmpty() && useful && !closed) {
      idle++;
      try {
        wait();
      } catch (InterruptedException e) {
        // Nobody but this class knows the thread; an interrupt means nothing to it.
      } finally {
        idle--;
        waking = false;
      }
    }
    while (own.size() < AT_A_TIME && !waiting.isEmpty()) {
      own.addLast(waiting.removeFirst());
    }
    wakeOne();
    return wait ? !own.isEmpty() : true;
  }

  /// The device has no queues, or not any more.
  private void leave() {
    List<PiecewiseRead> left;
    synchronized (this) {
      useful = false;
      left = List.copyOf(waiting);
      waiting.clear();
      notifyAll();
    }
    left.forEach(others);
  }

  /// Takes no more reads, and waits for the end of those it has.
  void awaitEnd() {
    List<Thread> all;
    synchronized (this) {
      closed = true;
      notifyAll();
      all = List.copyOf(threads);
    }
    all.forEach(Uninterrupted::join);
  }
}

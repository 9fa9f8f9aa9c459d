package io.coppice.engine.io;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.ReadQueue;
import io.coppice.engine.thread.Errors;
import io.coppice.engine.thread.Uninterrupted;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The reads through the queue of a device. The thread that asks for a read begins it, together
/// with the reads that wait before it, in one step. One other thread hears of the ends, verifies
/// the bytes, and tells the callers.
///
/// A read waits only while all numbers of the queue are taken. A thread that gives a number back
/// begins the waiting reads, so no thread is ever woken for that. Between its begin and its end a
/// read asks for no memory of the device's kind, and another thread reads again what cannot be
/// examined. So the thread that hears of ends goes on whatever it meets.
final class QueuedReads {

  private static final ThreadLocal<int[]> NUMBERS = ThreadLocal.withInitial(() -> new int[64]);

  private final ReadQueue queue;
  private final Consumer<PiecewiseRead> others;
  private final PiecewiseRead.Piece[] pieces; // by number
  private final Thread thread =
      Thread.ofPlatform().name("coppice-reads").daemon().unstarted(this::run);

  private final ArrayDeque<PiecewiseRead> waiting = new ArrayDeque<>(); // guarded by this
  private final int[] free; // guarded by this
  private int freeCount; // guarded by this
  private int underWay; // guarded by this
  private boolean closed; // guarded by this
  private boolean deaf; // hears of no more ends; guarded by this

  /// @param queue closed by this
  /// @param others takes reads of which the queue did not read all
  QueuedReads(ReadQueue queue, Consumer<PiecewiseRead> others) {
    this.queue = queue;
    this.others = others;
    pieces = new PiecewiseRead.Piece[queue.capacity()];
    free = new int[pieces.length];
    ByteBuffer bounces = AlignedBuffers.allocate(pieces.length * PiecewiseRead.MOST_BYTES);
    for (int i = 0; i < pieces.length; i++) {
      int at = i * PiecewiseRead.MOST_BYTES;
      pieces[i] = new PiecewiseRead.Piece(i, bounces.slice(at, PiecewiseRead.MOST_BYTES));
      free[freeCount++] = i;
    }
  }

  /// Starts the queue. Call it once, before anything is offered.
  void start() {
    thread.start();
  }

  /// Whether the queue begins reads now.
  boolean isUseful() {
    return queue.isUseful();
  }

  /// Begins a read, or lets it wait for a number.
  ///
  /// @return false if the caller has to arrange the read otherwise
  boolean offer(PiecewiseRead read) {
    if (!queue.isUseful()) {
      return false;
    }
    synchronized (this) {
      if (closed || deaf) {
        return false;
      }
      waiting.addLast(read);
      underWay++;
    }
    beginWaiting(false);
    return true;
  }

  /// @param late whether the reads have waited for numbers that others gave back
  private void beginWaiting(boolean late) {
    int[] numbers = NUMBERS.get();
    int count = take(numbers, late);
    while (count > 0) {
      for (int i = 0; i < count; i++) {
        pieces[numbers[i]].prepare(queue);
      }
      int begun = queue.begin(numbers, count);
      if (begun < count) {
        refused(numbers, begun, count);
      }
      count = take(numbers, late);
    }
  }

  /// Takes numbers for pieces of the waiting reads, in the order in which they came.
  private synchronized int take(int[] numbers, boolean late) {
    int count = 0;
    long now = late && freeCount > 0 && !waiting.isEmpty() ? System.nanoTime() : 0;
    while (freeCount > 0 && count < numbers.length && !waiting.isEmpty()) {
      PiecewiseRead read = waiting.getFirst();
      if (late) {
        read.leavesQueue(now);
      }
      numbers[count] = free[--freeCount];
      if (read.cut(pieces[numbers[count++]])) {
        waiting.removeFirst();
      }
    }
    return count;
  }

  private void refused(int[] numbers, int from, int to) {
    List<PiecewiseRead> over = new ArrayList<>();
    for (int i = from; i < to; i++) {
      pieces[numbers[i]].ended(false);
    }
    synchronized (this) {
      for (int i = from; i < to; i++) {
        giveBack(numbers[i], over);
      }
    }
    finish(over);
  }

  /// @param over gets the read if this was its last piece
  private void giveBack(int number, List<PiecewiseRead> over) {
    free[freeCount++] = number;
    PiecewiseRead read = pieces[number].release();
    if (read != null) {
      over.add(read);
    }
  }

  private void run() {
    try {
      hear();
    } finally {
      synchronized (this) {
        deaf = true;
        notifyAll();
      }
    }
  }

  private void hear() {
    List<PiecewiseRead> over = new ArrayList<>(pieces.length);
    int ended = queue.await();
    while (ended > 0) {
      for (int i = 0; i < ended; i++) {
        pieces[queue.number(i)].ended(queue.isWhole(i));
      }
      synchronized (this) {
        for (int i = 0; i < ended; i++) {
          giveBack(queue.number(i), over);
        }
      }
      beginWaiting(true);
      finish(over);
      ended = queue.await();
    }
  }

  /// Tells the callers. All pieces have been examined by then, so that the callers hear together.
  private void finish(List<PiecewiseRead> over) {
    if (over.isEmpty()) {
      return;
    }
    int count = over.size();
    for (int i = 0; i < count; i++) {
      guarded(over.get(i));
    }
    over.clear();
    synchronized (this) {
      underWay -= count;
      if (underWay == 0) {
        notifyAll();
      }
    }
  }

  private void guarded(PiecewiseRead read) {
    try {
      if (read.isWhole()) {
        read.end();
      } else {
        others.accept(read);
      }
    } catch (RuntimeException | Error e) { // the owner's; the others must not be lost with it
      Errors.report(e);
    }
  }

  /// Takes no more reads, and waits for the reads under way to end. It does not wait if the queue
  /// can no longer tell, which only a system does that breaks its word.
  void awaitEnd() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      Uninterrupted.await(
          () -> {
            while (underWay > 0 && !deaf) {
              wait();
            }
          });
    }
    if (!isDeaf()) {
      queue.wake();
    }
    Uninterrupted.join(thread);
    queue.close();
  }

  private synchronized boolean isDeaf() {
    return deaf;
  }
}

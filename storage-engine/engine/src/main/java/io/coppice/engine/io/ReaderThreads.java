package io.coppice.engine.io;

import io.coppice.engine.thread.Errors;
import io.coppice.engine.thread.Uninterrupted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A few platform threads that run tasks which may block, in the order in which they came. Each
/// thread is started when it is first needed. Unlike Java's executors it allocates nothing for a
/// task.
final class ReaderThreads {

  private final int most;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(); // guarded by this
  private final List<Thread> threads = new ArrayList<>(); // guarded by this
  private int idle; // guarded by this
  private boolean closed; // guarded by this

  /// @param most threads, at least 1
  ReaderThreads(int most) {
    this.most = most;
  }

  /// Runs a task on a thread; never waits.
  ///
  /// @return false if it is closed
  synchronized boolean execute(Runnable task) {
    if (closed) {
      return false;
    }
    if (waiting.size() >= idle && threads.size() < most) {
      addThread();
    }
    waiting.addLast(task);
    notify();
    return true;
  }

  /// Adds a thread. If the system gives none, it does without, as long as it has another one.
  private void addThread() {
    try {
      String name = "coppice-reader-" + threads.size();
      threads.add(Thread.ofPlatform().name(name).daemon().start(this::run));
    } catch (OutOfMemoryError e) {
      if (threads.isEmpty()) {
        throw e;
      }
    }
  }

  private void run() {
    Runnable task = take();
    while (task != null) {
      try {
        task.run();
      } catch (RuntimeException | Error e) { // its owner's; those of the others must still be run
        Errors.report(e);
      }
      task = take();
    }
  }

  /// Waits for a task.
  ///
  /// @return null if there will be no more
  private synchronized @Nullable Runnable take() {
    while (waiting.isEmpty() && !closed) {
      idle++;
      try {
        wait();
      } catch (InterruptedException e) {
        // Nobody but this class knows the thread; an interrupt means nothing to it.
      } finally {
        idle--;
      }
    }
    return waiting.pollFirst();
  }

  /// Takes no more tasks, and waits for its tasks to end.
  void close() {
    List<Thread> all;
    synchronized (this) {
      closed = true;
      notifyAll();
      all = List.copyOf(threads);
    }
    all.forEach(Uninterrupted::join);
  }
}

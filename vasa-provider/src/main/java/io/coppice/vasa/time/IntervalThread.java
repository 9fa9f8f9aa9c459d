package io.coppice.vasa.time;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A virtual thread that works at intervals, from its start until it is closed.
public final class IntervalThread implements AutoCloseable {

  private static final Duration LONGEST_END = Duration.ofSeconds(30);

  private final String name;
  private final Duration pause;
  private final Runnable work;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable Thread thread;

  /// @param pause from the start, and from the end of one piece of work, to the next one
  /// @param work what it throws ends the thread
  public IntervalThread(String name, Duration pause, Runnable work) {
    this.name = name;
    this.pause = pause;
    this.work = work;
  }

  /// Starts the thread, unless it runs.
  public synchronized void start() {
    if (thread == null) {
      thread = Thread.ofVirtual().name(name).start(this::run);
    }
  }

  private void run() {
    try {
      while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        work.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public synchronized boolean isRunning() {
    return thread != null;
  }

  /// Lets work that runs end, for which it waits up to 30 s, and begins no other.
  @Override
  public synchronized void close() {
    closed.countDown();
    Thread running = thread;
    if (running != null) {
      awaitEnd(running, LONGEST_END);
      thread = null;
    }
  }

  /// Waits until a thread has ended, or that time is over. An interrupt ends the wait too, and
  /// stays set.
  public static void awaitEnd(Thread thread, Duration most) {
    try {
      thread.join(most);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.coppice.scsi.limit;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The system's time, with one thread that begins I/Os that have waited long enough and does what
/// falls due now and then.
public final class SystemTimer implements LimiterTimer, AutoCloseable {

  private final long start = System.nanoTime();
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("scsi-alarm").factory());

  public SystemTimer() {
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public long now() {
    return System.nanoTime() - start;
  }

  @Override
  public void at(long time, Runnable task) {
    thread.schedule(task, time - now(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}

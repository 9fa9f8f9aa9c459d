package io.coppice.scsi.limit;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Time that stands still until a test moves it. Other threads may read it and set alarms.
public final class ManualTimer implements LimiterTimer {

  private record Due(long time, Runnable task) {}

  private final PriorityQueue<Due> due =
      new PriorityQueue<>((one, other) -> Long.compare(one.time(), other.time()));
  private long now;

  @Override
  public synchronized long now() {
    return now;
  }

  @Override
  public synchronized void at(long time, Runnable task) {
    due.add(new Due(time, task));
  }

  /// Runs what falls due within the time, each at its moment.
  public void advanceMillis(long millis) {
    long end = now() + millis * 1_000_000;
    for (Runnable task = dueBy(end); task != null; task = dueBy(end)) {
      task.run();
    }
  }

  /// As [#advanceMillis], but nothing runs before the end of the time.
  public void skipMillis(long millis) {
    synchronized (this) {
      now += millis * 1_000_000;
    }
    advanceMillis(0);
  }

  public synchronized int armed() {
    return due.size();
  }

  /// What is due next, at its moment; null, at the end, if nothing is before.
  private synchronized @Nullable Runnable dueBy(long end) {
    Due next = due.peek();
    if (next == null || next.time() > end) {
      now = end;
      return null;
    }
    now = Math.max(now, next.time());
    return due.remove().task();
  }
}

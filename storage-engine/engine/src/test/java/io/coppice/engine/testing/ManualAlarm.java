package io.coppice.engine.testing;

import io.coppice.engine.qos.Alarm;
import java.util.PriorityQueue;

/// Time that stands still until a test moves it.
public final class ManualAlarm implements Alarm {

  private record Due(long time, Runnable task) {}

  private final PriorityQueue<Due> due =
      new PriorityQueue<>((one, other) -> Long.compare(one.time(), other.time()));
  private long now;

  @Override
  public long now() {
    return now;
  }

  @Override
  public void at(long time, Runnable task) {
    due.add(new Due(time, task));
  }

  /// Runs what falls due within the time, each at its moment.
  public void advanceMillis(long millis) {
    long end = now + millis * 1_000_000;
    while (!due.isEmpty() && due.peek().time() <= end) {
      Due next = due.remove();
      now = Math.max(now, next.time());
      next.task().run();
    }
    now = end;
  }

  /// As [#advanceMillis], but nothing runs before the end of the time.
  public void skipMillis(long millis) {
    now += millis * 1_000_000;
    advanceMillis(0);
  }

  public int armed() {
    return due.size();
  }
}

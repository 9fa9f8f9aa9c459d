package io.coppice.driver.soap;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Tasks, contract 5.9.
public final class TaskCalls {
  private static final long FIRST_PAUSE_NANOS = 2_000_000;
  private static final long LAST_PAUSE_NANOS = 200_000_000;

  private final Exchange exchange;

  TaskCalls(Exchange exchange) {
    this.exchange = exchange;
  }

  public TaskInfo getTaskUpdate(String taskId) {
    return exchange.one("getTaskUpdate", TaskInfo::of, x -> x.text("ns:taskId", taskId));
  }

  public List<TaskInfo> getCurrentTask(@Nullable String arrayId) {
    return exchange.all("getCurrentTask", TaskInfo::of, x -> x.optional("ns:arrayId", arrayId));
  }

  public void cancelTask(String taskId) {
    exchange.send("cancelTask", x -> x.text("ns:taskId", taskId));
  }

  /// Polls until the task has succeeded.
  ///
  /// @throws VasaFault the task's error if it failed
  /// @throws IllegalStateException if it has not ended within `bound`
  public TaskInfo await(TaskInfo task, Duration bound) {
    TaskInfo now = task;
    long deadline = System.nanoTime() + bound.toNanos();
    long pause = FIRST_PAUSE_NANOS;
    while (!now.ended()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "expected task %s to end within %s, got %s".formatted(now.taskId(), bound, now));
      }
      LockSupport.parkNanos(pause);
      pause = Math.min(LAST_PAUSE_NANOS, pause * 2);
      now = getTaskUpdate(now.taskId());
    }
    VasaFault error = now.error();
    if (error != null) {
      throw error;
    }
    if (!now.state().equals(TaskInfo.SUCCESS)) {
      throw new IllegalStateException("expected an error in a failed task, got " + now);
    }
    return now;
  }
}

package io.coppice.vasa.task;

import io.coppice.vasa.actor.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The progress of a running task, and a request to end it. Safe for any thread.
public final class TaskProgress {

  private final long total;
  private final Instant started;
  private volatile long done;
  private volatile @Nullable Actor withdrawer;

  /// @param total the whole amount of work, at least 1, in any unit
  public TaskProgress(long total, Instant started) {
    this.total = total;
    this.started = started;
  }

  /// Adds an amount of finished work; called by one thread.
  public void add(long amount) {
    done = Math.min(total, done + amount);
  }

  /// Asks the task to end early, on behalf of the current [Actor].
  synchronized void withdraw() {
    if (withdrawer == null) {
      withdrawer = Actor.current();
    }
  }

  /// The one who asked the task to end early; empty if nobody did.
  public Optional<Actor> withdrawer() {
    return Optional.ofNullable(withdrawer);
  }

  /// Whether the task is asked to end early.
  public boolean isWithdrawn() {
    return withdrawer != null;
  }

  /// The percentage done, 0 to 99: a task is at 100 when it has ended.
  public int percent() {
    return (int) Math.min(99, Math.round(Math.floor(100.0 * done / total)));
  }

  /// The estimated end if the task goes on as fast; empty before it has begun.
  ///
  /// @param now between its start and its end
  public Optional<Instant> estimatedEnd(Instant now) {
    long part = done;
    if (part == 0) {
      return Optional.empty();
    }
    Duration spent = Duration.between(started, now);
    double left = (double) (total - part) / part;
    return Optional.of(now.plusMillis(Math.round(spent.toMillis() * left)));
  }
}

package io.coppice.replication.link;

import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A limit of the bytes per second that all links to one pool send together, by time of day.
///
/// Each window says the rate from its beginning to its end, which is earlier if it goes over
/// midnight. The first window that the time is in counts; outside of all there is no limit. A rate
/// of 0 stops the data; signs of life still flow. Safe for any thread.
public final class Pace {

  /// No limit at all.
  public static final Pace UNLIMITED =
      new Pace(List.of(), ZoneId.of("UTC"), InstantSource.system());

  /// How long a sender sleeps at most before it looks again: the rate may have changed.
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private static final long NANOS = 1_000_000_000L;

  /// A time of day and its rate.
  ///
  /// @param from first moment
  /// @param until first moment after it; the same as `from` for the whole day
  /// @param bytesPerSecond 0 or more
  public record Window(LocalTime from, LocalTime until, long bytesPerSecond) {

    /// @throws IllegalArgumentException if the rate is negative
    public Window {
      if (bytesPerSecond < 0) {
        throw new IllegalArgumentException(
            "expected a rate of 0 or more bytes a second, got " + bytesPerSecond);
      }
    }

    boolean holds(LocalTime time) {
      return from.isBefore(until)
          ? !time.isBefore(from) && time.isBefore(until)
          : !time.isBefore(from) || time.isBefore(until);
    }
  }

  private final List<Window> windows;
  private final ZoneId zone;
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock(true);
  private final Condition never = lock.newCondition();
  private long paidUntil = System.nanoTime();

  /// @param zone in which the windows are
  public Pace(List<Window> windows, ZoneId zone, InstantSource clock) {
    this.windows = List.copyOf(windows);
    this.zone = zone;
    this.clock = clock;
  }

  /// The same windows by another clock.
  Pace at(InstantSource other) {
    return new Pace(windows, zone, other);
  }

  /// The bytes per second that are allowed now; `Long.MAX_VALUE` without a limit.
  public long bytesPerSecond() {
    LocalTime now = ZonedDateTime.ofInstant(clock.instant(), zone).toLocalTime();
    return windows.stream()
        .filter(window -> window.holds(now))
        .mapToLong(Window::bytesPerSecond)
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }

  /// Waits until as many bytes may be sent. Senders take turns.
  ///
  /// @throws InterruptedException if the thread is interrupted meanwhile; nothing was taken
  void take(long bytes) throws InterruptedException {
    if (windows.isEmpty()) {
      return;
    }
    lock.lockInterruptibly();
    try {
      long rate = bytesPerSecond();
      long wait = paidUntil - System.nanoTime();
      while (rate == 0 || (rate < Long.MAX_VALUE && wait > 0)) {
        long most = LONGEST_WAIT.toNanos();
        never.awaitNanos(rate == 0 ? most : Math.min(most, wait));
        rate = bytesPerSecond();
        wait = paidUntil - System.nanoTime();
      }
      long cost = rate == Long.MAX_VALUE ? 0 : (long) ((double) bytes * NANOS / rate);
      paidUntil = Math.max(paidUntil, System.nanoTime()) + cost;
    } finally {
      lock.unlock();
    }
  }
}

package io.coppice.scsi.setting;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Rest of a freed number: for how long it names nothing.
///
/// @param atLeast 1 h to 30 d
/// @param time goes on steadily, whatever is done to the machine's clock
public record NumberRest(Duration atLeast, InstantSource time) {

  private static final Duration LEAST = Duration.ofHours(1);
  private static final Duration MOST = Duration.ofDays(30);

  public NumberRest {
    if (atLeast.compareTo(LEAST) < 0 || atLeast.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "expected a rest of freed numbers from %s to %s, got %s".formatted(LEAST, MOST, atLeast));
    }
  }

  /// 24 h of the time that the process runs.
  public static NumberRest defaults() {
    return new NumberRest(Duration.ofHours(24), steady());
  }

  public NumberRest withAtLeast(Duration time) {
    return new NumberRest(time, this.time);
  }

  /// Begins with the machine's clock and follows its jumps no more.
  private static InstantSource steady() {
    Instant start = InstantSource.system().instant();
    long nanos = System.nanoTime();
    return () -> start.plusNanos(System.nanoTime() - nanos);
  }
}

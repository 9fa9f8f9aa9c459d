package io.coppice.scsi.setting;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// The rest of a freed number: the time for which it names nothing.
///
/// @param atLeast 1 h to 30 d
/// @param time goes on steadily, whatever happens to the machine's clock
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

  /// A time that begins with the machine's clock but does not follow its jumps.
  private static InstantSource steady() {
    Instant start = InstantSource.system().instant();
    long nanos = System.nanoTime();
    return () -> start.plusNanos(System.nanoTime() - nanos);
  }
}

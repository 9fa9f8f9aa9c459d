package io.coppice.vasa.protection.rule;

import java.time.Duration;
import java.time.Instant;

/// A moment by two times.
///
/// @param passed by the time that has passed, which never jumps
/// @param clock by the machine's clock, which may
public record ClockReading(Instant passed, Instant clock) {

  private static final Duration LEAP = Duration.ofMinutes(1);

  /// Whether the clock has moved by more than the time that has passed, until `later`.
  boolean leapsTo(ClockReading later) {
    Duration by =
        Duration.between(clock, later.clock).minus(Duration.between(passed, later.passed));
    return by.compareTo(LEAP) > 0;
  }
}

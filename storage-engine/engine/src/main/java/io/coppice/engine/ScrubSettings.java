package io.coppice.engine;

import java.time.Duration;

/// The settings of a pool's scrubber.
///
/// | Component | Meaning |
/// |---|---|
/// | `period` | from the start of one pass to the start of the next, 1 hour to 365 days; zero: a pass only when asked for |
/// | `deviceTimePercent` | most of the device's time that scrubbing takes, 1 to 100 |
public record ScrubSettings(Duration period, int deviceTimePercent) {

  public ScrubSettings {
    boolean off = period.isZero();
    if (!off
        && (period.compareTo(Duration.ofHours(1)) < 0
            || period.compareTo(Duration.ofDays(365)) > 0)) {
      throw new IllegalArgumentException(
          "expected a scrub period of 1 hour to 365 days, or zero for none, got " + period);
    }
    if (deviceTimePercent < 1 || deviceTimePercent > 100) {
      throw new IllegalArgumentException(
          "expected 1 to 100 percent of device time for scrubbing, got " + deviceTimePercent);
    }
  }

  /// A pass every 14 days, with at most a tenth of the device's time.
  public static ScrubSettings defaults() {
    return new ScrubSettings(Duration.ofDays(14), 10);
  }
}

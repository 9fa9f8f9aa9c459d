package io.coppice.vasa.alarm;

import java.time.Duration;

/// The thresholds of alarms.
///
/// @param period time between two looks, 1 second to 1 hour
/// @param yellowPercent how full the pool or a container is when its alarm turns Yellow, 1 to 99
/// @param redPercent as `yellowPercent` for Red, above it, to 100
public record AlarmSettings(Duration period, int yellowPercent, int redPercent) {

  public AlarmSettings {
    if (period.compareTo(Duration.ofSeconds(1)) < 0 || period.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "coppice.vasa.alarms.period: expected 1s to 1h, got " + period);
    }
    if (yellowPercent < 1 || yellowPercent >= redPercent || redPercent > 100) {
      throw new IllegalArgumentException(
          "coppice.vasa.alarms: expected 1 <= yellow-percent < red-percent <= 100, got %d and %d"
              .formatted(yellowPercent, redPercent));
    }
  }
}

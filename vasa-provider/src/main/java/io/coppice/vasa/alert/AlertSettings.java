package io.coppice.vasa.alert;

import java.time.Duration;

/// The settings of alerts.
///
/// @param period time between two looks, 1 second to 1 hour
/// @param settle how long a cause is gone before its alert is resolved, and how long the control
///   plane may be away before that is an alert, 0 seconds to 1 hour
/// @param kept how long a resolved alert is kept, 1 hour to 365 days
/// @param entries most resolved alerts that are kept, 10 to 100,000
public record AlertSettings(Duration period, Duration settle, Duration kept, int entries) {

  public AlertSettings {
    within("period", period, Duration.ofSeconds(1), Duration.ofHours(1));
    within("settle", settle, Duration.ZERO, Duration.ofHours(1));
    within("kept", kept, Duration.ofHours(1), Duration.ofDays(365));
    within("entries", entries, 10, 100_000);
  }

  private static <T extends Comparable<T>> void within(String key, T value, T least, T most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "coppice.alerts.%s: expected %s to %s, got %s".formatted(key, least, most, value));
    }
  }
}

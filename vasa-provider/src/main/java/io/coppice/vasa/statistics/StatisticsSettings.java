package io.coppice.vasa.statistics;

import java.time.Duration;

/// The form of statistics on the wire. It is a setting because the contract leaves the form of
/// `statisticsString` open.
///
/// @param announced whether the array claims `StatisticsProfile`; the operations answer in any case
/// @param form form of each counter
/// @param separator between two counters, 1 to 8 characters
/// @param period shortest time between two calls that clients receive, 1 second to 1 hour
public record StatisticsSettings(boolean announced, Form form, String separator, Duration period) {

  /// The form of a counter in `statisticsString`.
  public enum Form {
    /// The counter's value. The order of the session's choice identifies the counter.
    VALUES,

    /// `id:value`.
    PAIRS
  }

  public StatisticsSettings {
    if (separator.isEmpty() || separator.length() > 8) {
      throw new IllegalArgumentException(
          "coppice.vasa.statistics.separator: expected 1 to 8 characters, got \"%s\""
              .formatted(separator));
    }
    if (period.compareTo(Duration.ofSeconds(1)) < 0 || period.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "coppice.vasa.statistics.period: expected 1s to 1h, got " + period);
    }
  }
}

package io.coppice.vasa.policy;

import java.time.Duration;

/// Unit of a time span (VASA 2.0 TimeUnitEnum); a month counts 30 days, a year 365.
public enum SpanUnit {
  SECONDS(Duration.ofSeconds(1)),
  MINUTES(Duration.ofMinutes(1)),
  HOURS(Duration.ofHours(1)),
  DAYS(Duration.ofDays(1)),
  WEEKS(Duration.ofDays(7)),
  MONTHS(Duration.ofDays(30)),
  YEARS(Duration.ofDays(365));

  private final Duration length;

  SpanUnit(Duration length) {
    this.length = length;
  }

  public Duration length() {
    return length;
  }
}

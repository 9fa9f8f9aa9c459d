package io.coppice.vasa.audit;

import java.time.Duration;

/// Limits of the trail.
///
/// @param kept how long an entry is kept at least, 1 to 3650 days, unless there are too many
/// @param entries most entries, 1000 to 100,000,000
/// @param spoolBytes most bytes that wait on disk while the database is away, 64 KiB to 64 MiB
/// @param checkPeriod time between two checks of the whole chain, 1 hour to 365 days
/// @param ownWorkPeriod time between two entries about one kind of work that the provider does by
///   itself, 1 minute to 1 day
public record AuditSettings(
    Duration kept, int entries, long spoolBytes, Duration checkPeriod, Duration ownWorkPeriod) {

  public AuditSettings {
    within("kept", kept, Duration.ofDays(1), Duration.ofDays(3650));
    within("entries", entries, 1000, 100_000_000);
    within("spool-size", spoolBytes, 64L << 10, 64L << 20);
    within("check-period", checkPeriod, Duration.ofHours(1), Duration.ofDays(365));
    within("own-work-period", ownWorkPeriod, Duration.ofMinutes(1), Duration.ofDays(1));
  }

  private static <T extends Comparable<T>> void within(String key, T value, T least, T most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "coppice.audit.%s: expected %s to %s, got %s".formatted(key, least, most, value));
    }
  }
}

package io.coppice.vasa.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Lengths of time as text, in the form of ISO 8601 and in words.
public final class TimeText {

  private static final long HOURS_A_DAY = 24;
  private static final long MINUTES_AN_HOUR = 60;
  private static final long SECONDS_A_MINUTE = 60;

  private TimeText() {}

  /// ISO 8601: whole days as `P30D`, anything else as `PT15M`.
  public static String iso(Duration length) {
    return !length.isZero() && length.equals(Duration.ofDays(length.toDays()))
        ? "P" + length.toDays() + "D"
        : length.toString();
  }

  /// Words of the two largest units, rounded down: `30 days`, `1 hour 15 minutes`.
  ///
  /// @param length zero or more
  public static String words(Duration length) {
    List<String> parts = new ArrayList<>();
    add(parts, length.toDays(), "day");
    add(parts, length.toHours() % HOURS_A_DAY, "hour");
    add(parts, length.toMinutes() % MINUTES_AN_HOUR, "minute");
    add(parts, length.toSeconds() % SECONDS_A_MINUTE, "second");
    return parts.isEmpty()
        ? "0 seconds"
        : String.join(" ", parts.subList(0, Math.min(2, parts.size())));
  }

  private static void add(List<String> parts, long amount, String unit) {
    if (amount > 0) {
      parts.add("%d %s%s".formatted(amount, unit, amount == 1 ? "" : "s"));
    }
  }
}

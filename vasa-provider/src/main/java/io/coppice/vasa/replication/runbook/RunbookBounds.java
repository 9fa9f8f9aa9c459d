package io.coppice.vasa.replication.runbook;

import io.coppice.vasa.fault.VasaException;
import java.time.Duration;

/// The bounds of what a runbook has.
public final class RunbookBounds {

  /// Most runbooks of a pool. With the bounds below, their records stay within some megabytes.
  public static final int MOST_RUNBOOKS = 32;

  /// Longest name, in characters.
  public static final int LONGEST_NAME = 80;

  /// Most steps.
  public static final int MOST_STEPS = 16;

  /// Most groups of one step: the report of a step is one record of the pool.
  public static final int MOST_GROUPS = 8;

  /// Most exports, and most exports of tests.
  public static final int MOST_EXPORTS = 64;

  /// Longest pause after a step.
  public static final Duration LONGEST_PAUSE = Duration.ofHours(1);

  /// Longest time for which a test holds.
  public static final Duration LONGEST_HOLD = Duration.ofHours(24);

  /// Bounds of the age from which a replica is too old.
  public static final Duration SHORTEST_AGE = Duration.ofSeconds(1);

  public static final Duration LONGEST_AGE = Duration.ofDays(3650);

  /// Largest number of a logical unit.
  public static final int LARGEST_LUN = 16383;

  /// Reports that are kept of each runbook.
  public static final int MOST_REPORTS = 30;

  private RunbookBounds() {}

  /// @throws VasaException (InvalidArgument) if there are fewer or more
  static void count(String field, String what, int count, int least, int most) {
    if (count < least || count > most) {
      throw VasaException.invalidArgument(
              "expected %d to %d %s, got %d".formatted(least, most, what, count))
          .about(field);
    }
  }

  /// @throws VasaException (InvalidArgument) if the time is shorter or longer
  static void within(String field, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw VasaException.invalidArgument(
              "expected a time of %s to %s in %s, got %s".formatted(least, most, field, value))
          .about(field);
    }
  }
}

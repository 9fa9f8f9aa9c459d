package io.coppice.vasa.verdict;

import java.time.Duration;
import java.time.Instant;

/// The judge of this machine's clock.
public final class ClockJudge {

  private static final Duration NOTABLE = Duration.ofSeconds(30);
  private static final Duration TOO_MUCH = Duration.ofMinutes(5);

  private ClockJudge() {}

  /// Whether two times are too far from each other for certificates and sessions.
  public static boolean isTooMuch(Duration skew) {
    return skew.abs().compareTo(TOO_MUCH) > 0;
  }

  /// Compares this clock with another one, which is named as in "the database's".
  public static void compare(String whose, Instant there, Instant here, Report report) {
    Duration skew = Duration.between(there, here);
    String seen =
        "this clock is %d s %s %s"
            .formatted(skew.abs().toSeconds(), skew.isNegative() ? "behind" : "ahead of", whose);
    if (isTooMuch(skew)) {
      report.fail(
          "clock",
          Cause.CLOCK,
          "T"
              + seen.substring(1)
              + ", so that certificates and sessions of one are not valid for"
              + " the other.",
          "set both by the same NTP servers, then restart the provider.");
    } else if (skew.abs().compareTo(NOTABLE) > 0) {
      report.warn("clock", "%s: set both by the same NTP servers", seen);
    } else {
      report.ok("clock", "%s", seen);
    }
  }
}

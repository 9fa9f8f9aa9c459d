package io.coppice.admin.login;

import java.time.Duration;

/// Settings of logins; see `config/application.yaml` for each.
///
/// @param sessionIdle after which time without a request a session ends
/// @param sessionLength after which time a session ends, however it is used
/// @param bcryptCost binary logarithm of the rounds of a password's hash
/// @param passwordChecks that run at a time, for each source
/// @param longestWait that wrong passwords or tokens ever cause; zero: they cause none
public record LoginSettings(
    Duration sessionIdle,
    Duration sessionLength,
    int bcryptCost,
    int passwordChecks,
    Duration longestWait) {

  public LoginSettings {
    within("session-idle", sessionIdle, Duration.ofMinutes(2), Duration.ofDays(7));
    within("session-length", sessionLength, sessionIdle, Duration.ofDays(30));
    within("bcrypt-cost", bcryptCost, 10, 16);
    within("password-checks", passwordChecks, 1, 64);
    within("longest-wait", longestWait, Duration.ZERO, Duration.ofMinutes(15));
  }

  private static <T extends Comparable<T>> void within(String key, T value, T least, T most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "coppice.accounts.%s: expected %s to %s, got %s".formatted(key, least, most, value));
    }
  }
}

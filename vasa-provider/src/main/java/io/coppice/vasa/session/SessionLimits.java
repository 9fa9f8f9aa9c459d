package io.coppice.vasa.session;

import java.time.Duration;

/// Bounds of sessions and of registration; see `config/application.yaml` for each.
public record SessionLimits(
    Duration defaultTimeout,
    Duration longestTimeout,
    int concurrentCalls,
    int concurrentCallsPerClient,
    int concurrentCallsInAll,
    int sessions,
    int sessionsPerClient,
    int hostsPerClient,
    int initiatorsPerClient,
    Duration wrongPasswordDelay,
    Duration renewalWindow) {

  public SessionLimits {
    within("default-timeout", defaultTimeout, Duration.ofSeconds(1), Duration.ofDays(1));
    within("longest-timeout", longestTimeout, defaultTimeout, Duration.ofDays(7));
    within("concurrent-calls", concurrentCalls, 1, 256);
    within("concurrent-calls-per-client", concurrentCallsPerClient, 1, 4096);
    within("concurrent-calls-in-all", concurrentCallsInAll, 1, 4096);
    within("sessions", sessions, 1, 100_000);
    within("sessions-per-client", sessionsPerClient, 1, 1000);
    within("hosts-per-client", hostsPerClient, 1, 10_000);
    within("initiators-per-client", initiatorsPerClient, 1, 100_000);
    within("wrong-password-delay", wrongPasswordDelay, Duration.ZERO, Duration.ofSeconds(60));
    within("renewal-window", renewalWindow, Duration.ZERO, Duration.ofHours(1));
  }

  private static <T extends Comparable<T>> void within(String key, T value, T least, T most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "coppice.vasa.sessions.%s: expected %s to %s, got %s".formatted(key, least, most, value));
    }
  }
}

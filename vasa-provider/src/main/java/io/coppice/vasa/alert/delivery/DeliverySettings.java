package io.coppice.vasa.alert.delivery;

import java.time.Duration;

/// The settings of delivery.
///
/// @param targets most targets, 1 to 256
/// @param queue most messages that wait for one target, 10 to 100,000; beyond that the oldest is
///   given up
/// @param patience for one attempt from its beginning to its end, 1 second to 5 minutes
/// @param longestPause between two attempts, 1 second to 1 hour; the first one is 1 s
/// @param kept how long a message is tried, 1 minute to 30 days
/// @param mailInterval shortest time between two mails of a target, 0 seconds to 1 day; what comes
///   meanwhile is one mail
/// @param loopback whether webhooks on this machine itself are allowed
public record DeliverySettings(
    int targets,
    int queue,
    Duration patience,
    Duration longestPause,
    Duration kept,
    Duration mailInterval,
    boolean loopback) {

  public DeliverySettings {
    within("targets", targets, 1, 256);
    within("queue", queue, 10, 100_000);
    within("patience", patience, Duration.ofSeconds(1), Duration.ofMinutes(5));
    within("longest-pause", longestPause, Duration.ofSeconds(1), Duration.ofHours(1));
    within("kept", kept, Duration.ofMinutes(1), Duration.ofDays(30));
    within("mail-interval", mailInterval, Duration.ZERO, Duration.ofDays(1));
  }

  private static <T extends Comparable<T>> void within(String key, T value, T least, T most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "coppice.alerts.delivery.%s: expected %s to %s, got %s"
              .formatted(key, least, most, value));
    }
  }
}

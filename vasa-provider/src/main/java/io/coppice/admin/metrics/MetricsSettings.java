package io.coppice.admin.metrics;

import java.time.Duration;

/// Settings of the metrics; see `config/application.yaml` for each.
///
/// @param withoutToken whether `/metrics` answers everybody
/// @param patience the longest wait for the database or for another collection
public record MetricsSettings(boolean withoutToken, Duration patience) {

  private static final Duration LEAST = Duration.ofMillis(100);
  private static final Duration MOST = Duration.ofSeconds(30);

  public MetricsSettings {
    if (patience.compareTo(LEAST) < 0 || patience.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "coppice.metrics.patience: expected %s to %s, got %s".formatted(LEAST, MOST, patience));
    }
  }
}

package io.coppice.app.setting;

import static io.coppice.app.setting.SettingRange.within;

import io.coppice.vasa.alert.AlertSettings;
import io.coppice.vasa.alert.delivery.DeliverySettings;
import java.time.Duration;
import org.springframework.util.unit.DataSize;

/// Alerts, and the limits beyond which a source finds one.
public record AlertProperties(
    Duration period,
    Duration settle,
    Duration kept,
    int entries,
    Duration scheduleLag,
    int violations,
    DataSize homeFree,
    Duration forecast,
    DeliverySettings delivery) {

  public AlertProperties {
    new AlertSettings(period, settle, kept, entries);
    within("alerts.schedule-lag", scheduleLag, Duration.ofMinutes(1), Duration.ofDays(7));
    within("alerts.violations", violations, 0, 1_000_000);
    within("alerts.home-free", homeFree, DataSize.ofBytes(0), DataSize.ofTerabytes(1));
    within("alerts.forecast", forecast, Duration.ofHours(1), Duration.ofDays(365));
  }

  public AlertSettings settings() {
    return new AlertSettings(period, settle, kept, entries);
  }
}

package io.coppice.vasa.alert.source;

import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Scheduled snapshots that are late.
public final class ScheduleSource implements AlertSource {

  private final Supplier<Duration> lag;
  private final Duration most;
  private final AlertSubject system;

  /// @param lag how long the snapshot that is due longest has been due
  /// @param most lag that is no alert
  public ScheduleSource(Supplier<Duration> lag, Duration most, AlertSubject system) {
    this.lag = lag;
    this.most = most;
    this.system = system;
  }

  @Override
  public String name() {
    return "schedules";
  }

  @Override
  public boolean needsDatabase() {
    return true;
  }

  @Override
  public List<AlertFinding> look() {
    Duration now = lag.get();
    if (now.compareTo(most) <= 0) {
      return List.of();
    }
    return List.of(
        new AlertFinding(
            "schedules",
            AlertSeverity.WARNING,
            system,
            "SnapshotsLate",
            Map.of("minutes", "" + now.toMinutes())));
  }
}

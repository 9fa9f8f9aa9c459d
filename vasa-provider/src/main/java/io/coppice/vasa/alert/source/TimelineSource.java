package io.coppice.vasa.alert.source;

import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.protection.continuous.PointCuts;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Continuous points that are not cut. A short gap is no alert.
public final class TimelineSource implements AlertSource {

  private static final Duration MOST = Duration.ofMinutes(1);

  private final PointCuts cuts;
  private final AlertSubject system;

  public TimelineSource(PointCuts cuts, AlertSubject system) {
    this.cuts = cuts;
    this.system = system;
  }

  @Override
  public String name() {
    return "timelines";
  }

  @Override
  public boolean needsDatabase() {
    return false;
  }

  @Override
  public List<AlertFinding> look() {
    Duration lag = cuts.lag();
    if (lag.compareTo(MOST) < 0) {
      return List.of();
    }
    return List.of(
        new AlertFinding(
            "timelines",
            AlertSeverity.WARNING,
            system,
            "TimelinesLate",
            Map.of(
                "minutes",
                "" + lag.toMinutes(),
                "what",
                cuts.failure().orElse("the rounds do not end"))));
  }
}

package io.coppice.admin.metrics;

import io.coppice.vasa.protection.continuous.PointCuts;
import io.coppice.vasa.protection.continuous.TimelineCounts;
import org.springframework.stereotype.Component;

/// The metrics of continuous points, which the pool knows.
@Component
final class TimelineMetrics implements MetricSource {

  private static final double MILLIS_PER_SECOND = 1e3;

  private final PointCuts cuts;

  TimelineMetrics(PointCuts cuts) {
    this.cuts = cuts;
  }

  @Override
  public void addTo(Sheet sheet) {
    TimelineCounts counts = cuts.counts();
    sheet.gauge(
        "coppice_timeline_volumes", "Volumes that have continuous points.", counts.volumes());
    sheet.gauge("coppice_timeline_points", "Continuous points of all volumes.", counts.points());
    sheet.gauge(
        "coppice_timeline_kept_bytes",
        "Data that was written over and is kept for continuous points.",
        counts.keptBytes());
    sheet.gauge(
        "coppice_timeline_lag_seconds",
        "Time since the last round of cuts that went well; 0 without volumes.",
        counts.lag().toMillis() / MILLIS_PER_SECOND);
    sheet.counter(
        "coppice_timeline_failures_total",
        "Rounds of cuts that have failed since the start.",
        cuts.failures());
  }
}

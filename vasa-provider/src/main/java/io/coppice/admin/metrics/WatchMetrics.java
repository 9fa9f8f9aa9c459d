package io.coppice.admin.metrics;

import io.coppice.vasa.watch.VolumeWatches;
import org.springframework.stereotype.Component;

/// The metrics of the ransomware watch.
@Component
final class WatchMetrics implements MetricSource {

  private final VolumeWatches watches;

  WatchMetrics(VolumeWatches watches) {
    this.watches = watches;
  }

  @Override
  public void addTo(Sheet sheet) {
    sheet.gauge(
        "coppice_watch_suspects",
        "Volumes whose writes look like encryption now.",
        watches.suspects().size());
  }
}

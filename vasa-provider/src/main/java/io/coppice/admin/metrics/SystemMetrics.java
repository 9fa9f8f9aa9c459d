package io.coppice.admin.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// The metrics of the whole system, as far as they can be known. Safe for any thread.
@Component
final class SystemMetrics {

  private static final Logger log = LoggerFactory.getLogger(SystemMetrics.class);

  private final List<MetricSource> sources;
  private final DatabaseMetrics database;

  /// The sources that failed at the last look, so that the log has each failure once.
  private final Set<MetricSource> failed = ConcurrentHashMap.newKeySet();

  SystemMetrics(List<MetricSource> sources, DatabaseMetrics database) {
    this.sources = List.copyOf(sources);
    this.database = database;
  }

  /// The figures of now.
  ///
  /// @param reader sees its containers only
  List<MetricSnapshot> collect(Reader reader) {
    Sheet sheet = new Sheet();
    sources.forEach(source -> add(source, sheet));
    database.addTo(sheet, reader);
    return sheet.snapshots();
  }

  private void add(MetricSource source, Sheet sheet) {
    try {
      source.addTo(sheet);
      failed.remove(source);
    } catch (RuntimeException e) { // the figures of the others are still wanted
      if (failed.add(source)) {
        log.atWarn().setCause(e).log("a part of the metrics cannot be had");
      }
    }
  }
}

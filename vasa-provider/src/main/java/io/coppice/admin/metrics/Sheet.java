package io.coppice.admin.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The figures of one answer, by the names that Prometheus knows them by. A name that ends with
/// `_bytes` or `_seconds` has that unit. For one thread.
final class Sheet {

  private static final String COUNTER_END = "_total";
  private static final String INFO_END = "_info";

  private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
  private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
  private final Map<String, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();
  private final List<MetricSnapshot> facts = new ArrayList<>();

  /// Adds a figure that goes up and down.
  ///
  /// @param labels differ between the figures of one name
  void gauge(String name, String help, double value, Labels labels) {
    gauges
        .computeIfAbsent(
            name, _ -> GaugeSnapshot.builder().name(name).help(help).unit(unitOf(name)))
        .dataPoint(GaugeDataPointSnapshot.builder().value(value).labels(labels).build());
  }

  /// Adds the only figure of a name.
  void gauge(String name, String help, double value) {
    gauge(name, help, value, Labels.EMPTY);
  }

  /// Adds a figure that only grows, but for restarts.
  ///
  /// @param name ends with `_total`
  void counter(String name, String help, double value, Labels labels) {
    String base = without(COUNTER_END, name);
    counters
        .computeIfAbsent(
            base, _ -> CounterSnapshot.builder().name(base).help(help).unit(unitOf(base)))
        .dataPoint(CounterDataPointSnapshot.builder().value(value).labels(labels).build());
  }

  /// Adds the only figure of a name.
  void counter(String name, String help, double value) {
    counter(name, help, value, Labels.EMPTY);
  }

  /// Adds a histogram that only grows, but for restarts.
  ///
  /// @param bounds upper ones, ascending; the last one is infinite
  /// @param counts for each bound, those above the bound before it
  /// @param sum of all that was counted
  void histogram(
      String name, String help, List<Double> bounds, long[] counts, double sum, Labels labels) {
    List<Number> perClass = Arrays.stream(counts).<Number>mapToObj(Long::valueOf).toList();
    histograms
        .computeIfAbsent(
            name, _ -> HistogramSnapshot.builder().name(name).help(help).unit(unitOf(name)))
        .dataPoint(
            HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, perClass))
                .sum(sum)
                .labels(labels)
                .build());
  }

  /// Adds facts that do not change while the process lives; their figure is 1.
  ///
  /// @param name ends with `_info`
  void info(String name, String help, Labels facts) {
    this.facts.add(
        InfoSnapshot.builder()
            .name(without(INFO_END, name))
            .help(help)
            .dataPoint(InfoDataPointSnapshot.builder().labels(facts).build())
            .build());
  }

  private static String without(String end, String name) {
    if (!name.endsWith(end)) {
      throw new IllegalArgumentException(
          "expected a name that ends with %s, got %s".formatted(end, name));
    }
    return name.substring(0, name.length() - end.length());
  }

  private static @Nullable Unit unitOf(String name) {
    if (name.endsWith("_bytes")) {
      return Unit.BYTES;
    }
    return name.endsWith("_seconds") ? Unit.SECONDS : null;
  }

  /// All figures added so far.
  List<MetricSnapshot> snapshots() {
    List<MetricSnapshot> all = new ArrayList<>(facts);
    gauges.values().forEach(family -> all.add(family.build()));
    counters.values().forEach(family -> all.add(family.build()));
    histograms.values().forEach(family -> all.add(family.build()));
    return all;
  }
}

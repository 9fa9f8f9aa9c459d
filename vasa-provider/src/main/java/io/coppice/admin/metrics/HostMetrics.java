package io.coppice.admin.metrics;

import io.coppice.vasa.binding.KnownHosts;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.statistics.Statistics;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/// The metrics of each initiator that has a session, or had one and is remembered by the target.
/// All of it is in memory; the database is not asked.
@Component
final class HostMetrics {

  private static final TrafficMetrics TRAFFIC =
      new TrafficMetrics("coppice_host", "Reads and writes of an initiator, as SCSI commands.");

  private final Statistics statistics;
  private final KnownHosts known;
  private final PlainHosts plain;

  HostMetrics(Statistics statistics, KnownHosts known, PlainHosts plain) {
    this.statistics = statistics;
    this.known = known;
    this.plain = plain;
  }

  /// The figures of now.
  ///
  /// @param reader sees nothing if it is bound to containers: what a host does reaches all of them
  List<MetricSnapshot> collect(Reader reader) {
    Sheet sheet = new Sheet();
    if (reader.seesAll()) {
      Map<String, String> hosts = hosts();
      statistics
          .ofInitiators()
          .forEach(
              (name, traffic) ->
                  TRAFFIC.add(
                      sheet,
                      Labels.of("initiator", name, "host", hosts.getOrDefault(name, "")),
                      traffic));
    }
    return sheet.snapshots();
  }

  /// The hosts of initiators: names of those that administrators made, ids of the others.
  private Map<String, String> hosts() {
    Map<String, String> hosts = new HashMap<>();
    known
        .initiators()
        .forEach((host, names) -> names.forEach(name -> hosts.put(name, host.value())));
    plain.hosts().forEach(host -> host.initiators().forEach(name -> hosts.put(name, host.name())));
    return hosts;
  }
}

package io.coppice.admin.metrics;

import io.coppice.scsi.unit.IoTime;
import io.coppice.scsi.unit.Traffic;
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

  private static final double NANOS_PER_SECOND = 1e9;

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
                  add(
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

  private static void add(Sheet sheet, Labels labels, Traffic traffic) {
    Labels read = labels.merge(Op.READ);
    Labels write = labels.merge(Op.WRITE);
    String commands = "coppice_host_io_total";
    String commandsHelp = "Reads and writes of an initiator, as SCSI commands.";
    sheet.counter(commands, commandsHelp, traffic.reads(), read);
    sheet.counter(commands, commandsHelp, traffic.writes(), write);
    String bytes = "coppice_host_bytes_total";
    String bytesHelp = "Bytes that these commands were to read or write.";
    sheet.counter(bytes, bytesHelp, traffic.bytesRead(), read);
    sheet.counter(bytes, bytesHelp, traffic.bytesWritten(), write);
    add(sheet, read, traffic.readTime());
    add(sheet, write, traffic.writeTime());
  }

  private static void add(Sheet sheet, Labels labels, IoTime time) {
    String name = "coppice_host_phase_seconds_total";
    String help = "Time of these commands from their arrival to their answer, by phase, added up.";
    sheet.counter(name, help, time.deviceNanos() / NANOS_PER_SECOND, labels.merge(Op.DEVICE));
    sheet.counter(name, help, time.queueNanos() / NANOS_PER_SECOND, labels.merge(Op.QUEUE));
    sheet.counter(name, help, time.limitNanos() / NANOS_PER_SECOND, labels.merge(Op.LIMIT));
  }
}

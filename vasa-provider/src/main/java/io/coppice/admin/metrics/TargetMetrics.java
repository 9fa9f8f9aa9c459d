package io.coppice.admin.metrics;

import io.coppice.admin.IscsiPortals;
import io.coppice.admin.field.CamelCase;
import io.coppice.scsi.unit.IoTime;
import io.coppice.scsi.unit.OffloadLedger;
import io.coppice.scsi.unit.PhaseCounts;
import io.coppice.scsi.unit.Traffic;
import io.coppice.vasa.statistics.OffloadStatistics;
import io.coppice.vasa.statistics.Statistics;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// The target: its sessions, and what hosts read, write and let it do for them.
@Component
@Order(2)
final class TargetMetrics implements MetricSource {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final List<Double> BOUNDS =
      DoubleStream.concat(
              Arrays.stream(PhaseCounts.bounds()).mapToDouble(nanos -> nanos / NANOS_PER_SECOND),
              DoubleStream.of(Double.POSITIVE_INFINITY))
          .boxed()
          .toList();

  private final IscsiPortals iscsi;
  private final Statistics statistics;
  private final OffloadStatistics offloads;

  TargetMetrics(IscsiPortals iscsi, Statistics statistics, OffloadStatistics offloads) {
    this.iscsi = iscsi;
    this.statistics = statistics;
    this.offloads = offloads;
  }

  @Override
  public void addTo(Sheet sheet) {
    addSessions(sheet);
    Traffic traffic = statistics.ofArray().traffic();
    addTraffic(sheet, traffic);
    addPhases(sheet, statistics.readPhases(), traffic.readTime(), Op.READ);
    addPhases(sheet, statistics.writePhases(), traffic.writeTime(), Op.WRITE);
    Map<OffloadLedger.Kind, OffloadLedger.Entry> counts = offloads.inAll();
    for (OffloadLedger.Kind kind : OffloadLedger.Kind.values()) {
      addOffload(
          sheet,
          Labels.of("kind", CamelCase.of(kind)),
          counts.getOrDefault(kind, OffloadLedger.Entry.NONE));
    }
  }

  private void addSessions(Sheet sheet) {
    iscsi
        .portals()
        .forEach(
            portal ->
                sheet.gauge(
                    "coppice_iscsi_sessions",
                    "Sessions of initiators that are open or ending, by the portal's number.",
                    portal.sessions(),
                    Labels.of("portal", Integer.toString(portal.number()))));
    sheet.counter(
        "coppice_iscsi_logins_total", "Sessions that were opened since the start.", iscsi.logins());
    iscsi
        .violations()
        .forEach(
            (kind, count) ->
                sheet.counter(
                    "coppice_iscsi_violations_total",
                    "Faults of initiators, and faults that befell them, since the start.",
                    count,
                    Labels.of("kind", kind)));
  }

  private static void addTraffic(Sheet sheet, Traffic traffic) {
    String commands = "coppice_array_io_total";
    String commandsHelp = "Reads and writes of hosts to all volumes, as SCSI commands.";
    sheet.counter(commands, commandsHelp, traffic.reads(), Op.READ);
    sheet.counter(commands, commandsHelp, traffic.writes(), Op.WRITE);
    String bytes = "coppice_array_bytes_total";
    String bytesHelp = "Bytes that these commands were to read or write.";
    sheet.counter(bytes, bytesHelp, traffic.bytesRead(), Op.READ);
    sheet.counter(bytes, bytesHelp, traffic.bytesWritten(), Op.WRITE);
    String time = "coppice_array_io_seconds_total";
    String timeHelp = "Time from the begin of each command to its answer, added up.";
    sheet.counter(time, timeHelp, traffic.readNanos() / NANOS_PER_SECOND, Op.READ);
    sheet.counter(time, timeHelp, traffic.writeNanos() / NANOS_PER_SECOND, Op.WRITE);
  }

  private static void addPhases(Sheet sheet, PhaseCounts counts, IoTime time, Labels op) {
    addPhase(sheet, counts.device(), time.deviceNanos(), op.merge(Op.DEVICE));
    addPhase(sheet, counts.queue(), time.queueNanos(), op.merge(Op.QUEUE));
    addPhase(sheet, counts.limit(), time.limitNanos(), op.merge(Op.LIMIT));
  }

  private static void addPhase(Sheet sheet, long[] counts, long nanos, Labels labels) {
    sheet.histogram(
        "coppice_volume_io_seconds",
        "Reads and writes of hosts to all volumes by how long each phase of their time took.",
        BOUNDS,
        counts,
        nanos / NANOS_PER_SECOND,
        labels);
  }

  private static void addOffload(Sheet sheet, Labels kind, OffloadLedger.Entry entry) {
    sheet.counter(
        "coppice_offload_commands_total",
        "Commands by which hosts let the array do the work, ended well.",
        entry.commands(),
        kind);
    sheet.counter(
        "coppice_offload_bytes_spared_total",
        "Bytes that changed without crossing the wire.",
        entry.bytesSpared(),
        kind);
    sheet.counter(
        "coppice_offload_fallbacks_total",
        "Such commands that were refused, so that the host does the work itself.",
        entry.fallBacks(),
        kind);
  }
}

package io.coppice.admin.metrics;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.engine.status.WrittenCounts;
import io.coppice.scsi.unit.Traffic;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.statistics.Statistics;
import io.coppice.vasa.statistics.Statistics.Reached;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.space.MeasuredVolume;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.coppice.vasa.watch.VolumeWatches;
import io.coppice.vasa.watch.WatchReading;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The metrics of each volume and snapshot, with the virtual machine that it belongs to. All of it
/// is in the pool's memory; the database is not asked. Readers who come at the same time share one
/// collection.
@Component
final class VolumeMetrics {

  private static final int BLOCK = 4096;

  private static final TrafficMetrics TRAFFIC =
      new TrafficMetrics(
          "coppice_volume",
          "Reads and writes of hosts, as SCSI commands, since somebody reaches the volume.");

  private final SpaceStatistics spaces;
  private final Statistics statistics;
  private final VolumeWatches watches;
  private final SharedCalls<Class<Found>, Found> calls;

  VolumeMetrics(
      SpaceStatistics spaces,
      Statistics statistics,
      VolumeWatches watches,
      MetricsSettings settings) {
    this.watches = watches;
    this.spaces = spaces;
    this.statistics = statistics;
    this.calls = new SharedCalls<>(settings.patience(), 1);
  }

  /// The findings of one collection.
  ///
  /// @param machines ids of virtual machines by their volumes
  /// @param names of virtual machines by their ids
  private record Found(
      List<MeasuredVolume> volumes,
      Map<VolumeId, Traffic> traffic,
      Map<VolumeId, String> machines,
      Map<String, String> names) {

    /// The machine of a volume, or that of a snapshot's volume if the snapshot names none; empty if
    /// there is none.
    String machineOf(MeasuredVolume volume) {
      String own = volume.machine();
      if (own != null) {
        return own;
      }
      VolumeId origin = volume.origin();
      return volume.snapshot() && origin != null ? machines.getOrDefault(origin, "") : "";
    }
  }

  /// The figures of now.
  ///
  /// @param reader sees the volumes in its containers only
  /// @throws VasaException (VasaProviderBusy) if a collection takes too long
  List<MetricSnapshot> collect(Reader reader) {
    Found found;
    try {
      found = calls.call(Found.class, this::read);
    } catch (SharedCalls.OverdueException e) {
      throw VasaException.busy("metrics of volumes: " + e.getMessage());
    }
    Sheet sheet = new Sheet();
    for (MeasuredVolume volume : found.volumes()) {
      if (reader.sees(volume.container())) {
        add(sheet, volume, found);
      }
    }
    return sheet.snapshots();
  }

  private Found read() {
    List<MeasuredVolume> volumes = spaces.measured();
    return new Found(
        volumes,
        statistics.reached().stream().collect(Collectors.toMap(Reached::volume, Reached::traffic)),
        machines(volumes),
        names(volumes));
  }

  private static Map<VolumeId, String> machines(List<MeasuredVolume> volumes) {
    Map<VolumeId, String> machines = new HashMap<>();
    for (MeasuredVolume volume : volumes) {
      String machine = volume.machine();
      if (machine != null) {
        machines.put(volume.id(), machine);
      }
    }
    return machines;
  }

  /// The names of machines: those of their config vVols.
  private static Map<String, String> names(List<MeasuredVolume> volumes) {
    Map<String, String> names = new HashMap<>();
    for (MeasuredVolume volume : volumes) {
      String machine = volume.machine();
      String name = volume.name();
      if (volume.type() == VolumeType.CONFIG
          && !volume.snapshot()
          && machine != null
          && name != null) {
        names.put(machine, name);
      }
    }
    return names;
  }

  private void add(Sheet sheet, MeasuredVolume volume, Found found) {
    Labels labels = labels(volume, found);
    VolumeSpace space = volume.space();
    if (space != null) {
      add(sheet, labels, space);
    }
    Traffic traffic = found.traffic().get(volume.id());
    if (traffic != null) {
      TRAFFIC.add(sheet, labels, traffic);
    }
    watches.find(volume.id()).ifPresent(reading -> add(sheet, labels, volume.id(), reading));
  }

  private void add(Sheet sheet, Labels labels, VolumeId volume, WatchReading reading) {
    if (reading.entropy() != null) {
      sheet.gauge(
          "coppice_volume_written_entropy_bits",
          "Mean entropy of samples of what was written in the last window of the watch, for each byte.",
          reading.entropy(),
          labels);
    }
    WrittenCounts counts = watches.counts(volume);
    sheet.counter(
        "coppice_volume_replaced_bytes_total",
        "Bytes that were written over or unmapped since the provider started.",
        (double) BLOCK * (counts.overwritten() + counts.unmapped()),
        labels);
  }

  private static void add(Sheet sheet, Labels labels, VolumeSpace space) {
    sheet.gauge(
        "coppice_volume_mapped_bytes",
        "What the pool stores for a volume or snapshot, shared or not.",
        space.mapped(),
        labels);
    sheet.gauge(
        "coppice_volume_unique_bytes",
        "The part of it that no other volume or snapshot shares.",
        space.unique(),
        labels);
  }

  /// What has no name or machine gets an empty text, which Prometheus treats as none.
  private static Labels labels(MeasuredVolume volume, Found found) {
    String machine = found.machineOf(volume);
    return Labels.of(
        "volume",
        volume.id().toString(),
        "name",
        text(volume.name()),
        "container",
        volume.container().toString(),
        "kind",
        volume.snapshot() ? "snapshot" : "volume",
        "vm",
        machine,
        "vm_name",
        found.names().getOrDefault(machine, ""));
  }

  private static String text(@Nullable String text) {
    return Objects.requireNonNullElse(text, "");
  }
}

package io.coppice.admin.metrics;

import io.coppice.admin.Readiness;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.ProtectedGroups;
import io.coppice.vasa.protection.ProtectionCounts;
import io.coppice.vasa.volume.BinChoice;
import io.coppice.vasa.volume.bin.RecycleBin;
import io.coppice.vasa.volume.snapshot.SnapshotSchedules;
import io.coppice.vasa.volume.space.ContainerContent;
import io.coppice.vasa.volume.space.ContainerSpace;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// The metrics that only the database knows. It is asked by one call at a time, which takes a few
/// statements, whatever there is to count; who comes meanwhile shares what it finds. Without an
/// answer in time these metrics are left out, but for `coppice_database_up`.
@Component
final class DatabaseMetrics {

  private static final Logger log = LoggerFactory.getLogger(DatabaseMetrics.class);

  private final Readiness readiness;
  private final Tables tables;
  private final SharedCalls<Class<Figures>, Figures> calls;

  /// The features whose state is in the database.
  @Component
  record Tables(
      Containers containers,
      SpaceStatistics spaces,
      SnapshotSchedules schedules,
      Alarms alarms,
      ProtectedGroups groups,
      RecycleBin bin) {}

  DatabaseMetrics(Readiness readiness, Tables tables, MetricsSettings settings) {
    this.readiness = readiness;
    this.tables = tables;
    this.calls = new SharedCalls<>(settings.patience(), 1);
  }

  /// The findings of one call.
  private record Figures(
      List<StorageContainer> containers,
      Map<UUID, ContainerContent> contents,
      Duration lag,
      int nonCompliant,
      ProtectionCounts protection,
      int binned) {}

  /// Adds what the database tells in time.
  ///
  /// @param reader sees its containers only
  void addTo(Sheet sheet, Reader reader) {
    Optional<Figures> found = find();
    sheet.gauge(
        "coppice_database_up",
        "1 if the control plane works with its database, and that answered in time.",
        found.isPresent() ? 1 : 0);
    found.ifPresent(figures -> add(sheet, figures, reader));
  }

  /// A database that is reached, but is not the pool's own, is asked nothing.
  private Optional<Figures> find() {
    if (readiness.obstacle().isPresent()) {
      return Optional.empty();
    }
    try {
      return Optional.of(calls.call(Figures.class, this::read));
    } catch (RuntimeException e) { // whatever it is, the others are still wanted
      log.atDebug().setCause(e).log("metrics without the database");
      return Optional.empty();
    }
  }

  private Figures read() {
    List<StorageContainer> containers = tables.containers().list();
    return new Figures(
        containers,
        contents(containers),
        tables.schedules().lag(),
        tables.alarms().countActive(RaisedAlarm.COMPLIANCE),
        tables.groups().counts(),
        tables.bin().count(BinChoice.ALL));
  }

  /// The contents by container; empty once the pool has stopped, which is no fault of the database.
  private Map<UUID, ContainerContent> contents(List<StorageContainer> containers) {
    try {
      return FaultTranslation.translated(() -> tables.spaces().ofContainers(containers));
    } catch (VasaException poolStopped) {
      log.atDebug().setCause(poolStopped).log("metrics without the space of containers");
      return Map.of();
    }
  }

  private static void add(Sheet sheet, Figures figures, Reader reader) {
    for (StorageContainer container : figures.containers()) {
      if (reader.sees(container.id())) {
        add(sheet, container, figures.contents().get(container.id()));
      }
    }
    sheet.gauge(
        "coppice_snapshot_schedule_lag_seconds",
        "How long the scheduled snapshot that is due longest has been due; 0 if none is.",
        figures.lag().toSeconds());
    sheet.gauge(
        "coppice_noncompliant_volumes",
        "Virtual volumes that do not meet their policy, as of the last check.",
        figures.nonCompliant());
    add(sheet, figures.protection());
    sheet.gauge(
        "coppice_bin_entries",
        "Volumes, snapshots and safety copies in the recycle bin.",
        figures.binned());
    if (figures.contents().size() == figures.containers().size()) { // else the pool has stopped
      sheet.gauge(
          "coppice_bin_bytes",
          "What the pool gains if all of the recycle bin goes.",
          figures.contents().values().stream().mapToLong(ContainerContent::reclaimable).sum());
    }
  }

  private static void add(Sheet sheet, ProtectionCounts protection) {
    sheet.gauge("coppice_protection_groups", "Protection groups.", protection.groups());
    sheet.gauge(
        "coppice_protection_points",
        "Recovery points that are kept, without those in the recycle bin.",
        protection.points());
    sheet.gauge(
        "coppice_protection_late_groups",
        "Protection groups whose last point that was due could not be taken.",
        protection.late());
    sheet.gauge(
        "coppice_protection_age_seconds",
        "Age of the youngest point of the group with rules where that is oldest; 0 without such groups.",
        protection.age().toSeconds());
  }

  private static void add(
      Sheet sheet, StorageContainer container, @Nullable ContainerContent content) {
    Labels labels = Labels.of("container", container.id().toString(), "name", container.name());
    sheet.gauge(
        "coppice_container_quota_bytes",
        "What the volumes of a container may use.",
        container.quotaInBytes(),
        labels);
    if (content != null) {
      add(sheet, labels, content.space());
    }
  }

  private static void add(Sheet sheet, Labels labels, ContainerSpace space) {
    sheet.gauge("coppice_container_used_bytes", "What they use in the pool.", space.used(), labels);
    sheet.gauge(
        "coppice_container_provisioned_bytes",
        "Their sizes together.",
        space.provisioned(),
        labels);
  }
}

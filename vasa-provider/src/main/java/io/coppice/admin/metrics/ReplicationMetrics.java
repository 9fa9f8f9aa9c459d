package io.coppice.admin.metrics;

import io.coppice.vasa.replication.group.CycleStatus;
import io.coppice.vasa.replication.group.GroupState;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.replication.lag.GroupLag;
import io.coppice.vasa.replication.lag.LagWatch;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.Locale;
import org.springframework.stereotype.Component;

/// The metrics of replication groups, which the pool knows. Each has the group's id and name as
/// labels: two peers may send groups of one name.
@Component
final class ReplicationMetrics implements MetricSource {

  private static final double MILLIS_PER_SECOND = 1e3;

  private final ReplicationGroups groups;
  private final LagWatch watch;

  ReplicationMetrics(ReplicationGroups groups, LagWatch watch) {
    this.groups = groups;
    this.watch = watch;
  }

  @Override
  public void addTo(Sheet sheet) {
    for (ReplicatedGroup group : groups.list()) {
      Labels labels = Labels.of("group", group.id().toString(), "name", group.plan().name());
      addState(sheet, group, labels);
      addLag(sheet, group, labels);
      sheet.gauge(
          "coppice_replication_replicas",
          "Replicas of a group that this pool has.",
          groups.replicas(group).size(),
          labels);
      if (group.state().sends()) {
        addCycles(sheet, groups.status(group.id()), labels);
      }
    }
  }

  private static void addState(Sheet sheet, ReplicatedGroup group, Labels labels) {
    for (GroupState state : GroupState.values()) {
      sheet.gauge(
          "coppice_replication_state",
          "1 for the state that a group is in at this end, 0 for the others.",
          group.state() == state ? 1 : 0,
          labels.add("state", state.name().toLowerCase(Locale.ROOT)));
    }
  }

  private void addLag(Sheet sheet, ReplicatedGroup group, Labels labels) {
    sheet.gauge(
        "coppice_replication_rpo_seconds",
        "How old the newest replica of a group at its target may be.",
        seconds(group.plan().promise()),
        labels);
    GroupLag lag = watch.lagOf(group).orElse(null);
    if (lag != null && watch.verdictOf(group, lag).isPresent()) {
      sheet.gauge(
          "coppice_replication_lag_seconds",
          "How old the newest replica of a group at its target is.",
          seconds(lag.age()),
          labels);
    }
  }

  private static void addCycles(Sheet sheet, CycleStatus status, Labels labels) {
    sheet.counter(
        "coppice_replication_cycles_total",
        "Cycles of a group that have ended well since the start.",
        status.cycles(),
        labels);
    sheet.counter(
        "coppice_replication_failures_total",
        "Cycles of a group that have failed since the start.",
        status.failures(),
        labels);
    sheet.counter(
        "coppice_replication_data_bytes_total",
        "Data that cycles of a group sent, before compression.",
        status.dataBytes(),
        labels);
    sheet.counter(
        "coppice_replication_link_bytes_total",
        "Bytes that cycles of a group sent over the link.",
        status.linkBytes(),
        labels);
    Duration took = status.took();
    if (took != null) {
      sheet.gauge(
          "coppice_replication_cycle_seconds",
          "How long the last cycle of a group took that ended well.",
          seconds(took),
          labels);
    }
  }

  private static double seconds(Duration time) {
    return time.toMillis() / MILLIS_PER_SECOND;
  }
}

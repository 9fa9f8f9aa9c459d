package io.coppice.admin.replication;

import io.coppice.admin.field.IsoDurations;
import io.coppice.api.replication.PointInTime;
import io.coppice.api.replication.ReplicationCycles;
import io.coppice.api.replication.ReplicationGroupView;
import io.coppice.replication.Replica;
import io.coppice.vasa.replication.group.CycleStatus;
import io.coppice.vasa.replication.group.GroupState;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Replication groups and replicas, as REST shows them.
@Component
final class GroupViews {

  private final ReplicationGroups groups;
  private final InstantSource clock;

  GroupViews(ReplicationGroups groups, InstantSource clock) {
    this.groups = groups;
    this.clock = clock;
  }

  ReplicationGroupView view(ReplicatedGroup group) {
    boolean sends = group.state() == GroupState.SOURCE || group.state() == GroupState.PREPARED;
    CycleStatus status = groups.status(group.id());
    Instant newest = sends ? status.reached() : newestHere(group);
    return new ReplicationGroupView(
        group.id(),
        group.plan().name(),
        group.state().name(),
        group.since(),
        group.settled(),
        group.plan().peer(),
        Objects.requireNonNull(IsoDurations.text(group.plan().interval())),
        GroupFields.views(group.plan().keep()),
        GroupFields.members(group.plan()),
        sends ? group.plan().container() : group.landing(),
        group.plan().paused(),
        newest,
        lag(newest),
        group.replica(),
        group.held(),
        sends ? cycles(status) : null);
  }

  private @Nullable Instant newestHere(ReplicatedGroup group) {
    return groups.replicas(group.id()).stream().findFirst().map(Replica::taken).orElse(null);
  }

  private @Nullable String lag(@Nullable Instant newest) {
    if (newest == null) {
      return null;
    }
    Duration age = Duration.between(newest, clock.instant());
    return IsoDurations.text(Duration.ofSeconds(Math.max(0, age.toSeconds())));
  }

  private static ReplicationCycles cycles(CycleStatus status) {
    return new ReplicationCycles(
        status.runs(),
        status.begun(),
        IsoDurations.text(status.took()),
        status.error(),
        status.cycles(),
        status.failures(),
        status.dataBytes(),
        status.linkBytes());
  }

  PointInTime view(Replica replica) {
    return new PointInTime(
        replica.cycle(),
        replica.number(),
        replica.taken(),
        replica.name(),
        replica.tags(),
        replica.snapshots().size(),
        groups.sizeOf(replica));
  }
}

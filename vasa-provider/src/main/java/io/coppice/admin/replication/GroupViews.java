package io.coppice.admin.replication;

import io.coppice.admin.field.IsoDurations;
import io.coppice.api.replication.PointInTime;
import io.coppice.api.replication.ReplicationCycles;
import io.coppice.api.replication.ReplicationGroupView;
import io.coppice.replication.Replica;
import io.coppice.vasa.replication.group.CycleStatus;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.replication.lag.GroupLag;
import io.coppice.vasa.replication.lag.LagVerdict;
import io.coppice.vasa.replication.lag.LagWatch;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.springframework.stereotype.Component;

/// Replication groups and replicas, as REST shows them.
@Component
final class GroupViews {

  private final ReplicationGroups groups;
  private final LagWatch watch;

  GroupViews(ReplicationGroups groups, LagWatch watch) {
    this.groups = groups;
    this.watch = watch;
  }

  ReplicationGroupView view(ReplicatedGroup group) {
    boolean sends = group.state().sends();
    GroupLag lag = watch.lagOf(group).orElse(null);
    return new ReplicationGroupView(
        group.id(),
        group.plan().name(),
        group.state().name(),
        group.since(),
        group.settled(),
        group.plan().peer(),
        Objects.requireNonNull(IsoDurations.text(group.plan().interval())),
        Objects.requireNonNull(IsoDurations.text(group.plan().promise())),
        group.plan().rpo() == null,
        GroupFields.views(group.plan().keep()),
        GroupFields.members(group.plan()),
        sends ? group.plan().container() : group.landing(),
        group.plan().paused(),
        lag == null ? null : lag.newest(),
        lag == null ? null : IsoDurations.text(lag.age().truncatedTo(ChronoUnit.SECONDS)),
        watch.verdictOf(group, lag).map(LagVerdict::text).orElse(null),
        group.replica(),
        group.held(),
        sends ? cycles(groups.status(group.id())) : null);
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

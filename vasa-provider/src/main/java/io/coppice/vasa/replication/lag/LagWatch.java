package io.coppice.vasa.replication.lag;

import io.coppice.vasa.replication.group.CycleStatus;
import io.coppice.vasa.replication.group.GroupState;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The watch over the lag of replication groups. Answers from memory, without the database. Safe
/// for any thread.
///
/// | State here | What counts |
/// |---|---|
/// | SOURCE, TARGET, INTEST | the lag |
/// | PREPARED, FAILEDOVER, REMOTE_FAILEDOVER | nothing: no replica is due |
///
/// A group without a replica is not late: its first cycle takes all that is stored.
public final class LagWatch {

  /// Part of the RPO from which on a lag is late.
  private static final double LATE_PART = 0.75;

  private final ReplicationGroups groups;
  private final InstantSource clock;

  public LagWatch(ReplicationGroups groups, InstantSource clock) {
    this.groups = groups;
    this.clock = clock;
  }

  /// The lag of a group in any state; absent while no replica is known.
  public Optional<GroupLag> lagOf(ReplicatedGroup group) {
    return groups
        .newest(group)
        .map(
            newest -> {
              Duration age = Duration.between(newest, clock.instant());
              return new GroupLag(
                  newest, age.isNegative() ? Duration.ZERO : age, group.plan().promise());
            });
  }

  /// The verdict on a lag; absent if there is none, or no replica is due.
  public Optional<LagVerdict> verdictOf(ReplicatedGroup group, @Nullable GroupLag lag) {
    if (lag == null || !isDue(group.state())) {
      return Optional.empty();
    }
    CycleStatus cycles =
        group.state() == GroupState.SOURCE ? groups.status(group.id()) : CycleStatus.NONE;
    return Optional.of(verdict(lag, cycles));
  }

  /// @param cycles those of the group, if they go out from here
  static LagVerdict verdict(GroupLag lag, CycleStatus cycles) {
    if (lag.isMissed()) {
      return LagVerdict.MISSED;
    }
    return isNear(lag) || isTooSlow(lag, cycles) ? LagVerdict.LATE : LagVerdict.OK;
  }

  private static boolean isDue(GroupState state) {
    return state == GroupState.SOURCE || state.receives();
  }

  private static boolean isNear(GroupLag lag) {
    return lag.age().toMillis() > LATE_PART * lag.rpo().toMillis();
  }

  /// Whether the cycle that runs will end too late if it takes as long as the last one.
  private static boolean isTooSlow(GroupLag lag, CycleStatus cycles) {
    Instant begun = cycles.begun();
    Duration took = cycles.took();
    return cycles.runs()
        && begun != null
        && took != null
        && begun.plus(took).isAfter(lag.newest().plus(lag.rpo()));
  }
}

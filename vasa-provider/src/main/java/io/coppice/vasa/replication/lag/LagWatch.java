package io.coppice.vasa.replication.lag;

import io.coppice.vasa.replication.group.CycleStatus;
import io.coppice.vasa.replication.group.GroupState;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.replication.pairing.PairedPool;
import io.coppice.vasa.time.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The watch over the lag of replication groups, their failures, and the certificates of peers.
/// Answers from memory, without the database. Safe for any thread.
///
/// | State here | What counts |
/// |---|---|
/// | SOURCE | the lag, failures in a row, and a pause instead of the lag while there is one |
/// | TARGET, INTEST | the lag |
/// | PREPARED, FAILEDOVER, REMOTE_FAILEDOVER | nothing: no replica is due |
///
/// A group without a replica is not late: its first cycle takes all that is stored. If that one
/// does not succeed, its failures tell.
public final class LagWatch {

  /// Failures in a row that need a person.
  public static final int FAILURES = 3;

  /// Time before the end of a peer's certificate from which on it needs a person.
  public static final Duration CERTIFICATE_SOON = Duration.ofDays(30);

  /// Part of the RPO from which on a lag is late.
  private static final double LATE_PART = 0.75;

  private final ReplicationGroups groups;
  private final Supplier<List<PairedPool>> peers;
  private final InstantSource clock;

  public LagWatch(ReplicationGroups groups, Supplier<List<PairedPool>> peers, InstantSource clock) {
    this.groups = groups;
    this.peers = peers;
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

  /// Everything that needs a person now.
  public List<Trouble> look() {
    List<Trouble> found = new ArrayList<>(ofGroups());
    Instant now = clock.instant();
    for (PairedPool peer : peers.get()) {
      Instant until = peer.own().leaf().getNotAfter().toInstant();
      if (!until.isAfter(now.plus(CERTIFICATE_SOON))) {
        found.add(
            new Trouble.CertificateEnding(
                peer.pool().id(), peer.pool().name(), !until.isAfter(now), until));
      }
    }
    return found;
  }

  /// What of that is about groups.
  public List<Trouble.OfGroup> ofGroups() {
    List<Trouble.OfGroup> found = new ArrayList<>();
    for (ReplicatedGroup group : groups.list()) {
      if (group.state() == GroupState.SOURCE && group.plan().paused()) {
        paused(group).ifPresent(found::add);
      } else {
        late(group).ifPresent(found::add);
        failing(group).ifPresent(found::add);
      }
    }
    return found;
  }

  private Optional<Trouble.OfGroup> paused(ReplicatedGroup group) {
    Instant since = group.pausedSince();
    if (since == null) {
      return Optional.empty();
    }
    Duration time = Duration.between(since, clock.instant());
    Duration rpo = group.plan().promise();
    return time.compareTo(rpo) > 0
        ? Optional.of(new Trouble.Paused(group.id(), group.plan().name(), time, rpo))
        : Optional.empty();
  }

  private Optional<Trouble.OfGroup> late(ReplicatedGroup group) {
    GroupLag lag = lagOf(group).orElse(null);
    LagVerdict verdict = verdictOf(group, lag).orElse(LagVerdict.OK);
    if (lag == null || verdict == LagVerdict.OK) {
      return Optional.empty();
    }
    boolean isMissed = verdict == LagVerdict.MISSED;
    String what;
    if (isMissed) {
      what =
          "its newest replica is %s old, and its RPO of %s is missed."
              .formatted(TimeText.words(lag.age()), TimeText.words(lag.rpo()));
    } else if (isNear(lag)) {
      what =
          "its newest replica is %s old, and its RPO is %s."
              .formatted(TimeText.words(lag.age()), TimeText.words(lag.rpo()));
    } else {
      what =
          "the cycle that runs will miss its RPO of %s if it takes as long as the last one, %s."
              .formatted(TimeText.words(lag.rpo()), took(group));
    }
    return Optional.of(
        new Trouble.Late(group.id(), group.plan().name(), isMissed, what, lag.age(), lag.rpo()));
  }

  private String took(ReplicatedGroup group) {
    Duration took = groups.status(group.id()).took();
    return TimeText.words(took == null ? Duration.ZERO : took);
  }

  private Optional<Trouble.OfGroup> failing(ReplicatedGroup group) {
    CycleStatus status = groups.status(group.id());
    String error = status.error();
    return group.state() == GroupState.SOURCE && status.inARow() >= FAILURES && error != null
        ? Optional.of(new Trouble.Failing(group.id(), group.plan().name(), status.inARow(), error))
        : Optional.empty();
  }
}

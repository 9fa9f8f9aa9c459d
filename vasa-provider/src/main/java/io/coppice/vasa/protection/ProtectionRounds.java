package io.coppice.vasa.protection;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.rule.ClockReading;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.RecoveryPoint;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.snapshot.Snapshots;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rounds over the protected groups: a round takes the points that are due and deletes those that
/// no rule keeps.
///
/// A group is looked at when its next moment comes by the time that has passed, and once an hour at
/// least, so that a clock that was set meanwhile is noticed. The rows are the queue. The point, its
/// moments as handled, and the end of the engine's group snapshot are one transaction. A crash
/// before it leaves the group due, and recovery removes the snapshots that nobody knows; a crash
/// after it loses nothing but the time of the next look, which is found again.
///
/// Points expire after a point was taken, so the youngest is there before an older one goes. A
/// snapshot that is bound or exported stays, and is tried again with the next look.
public final class ProtectionRounds {

  private static final Logger log = LoggerFactory.getLogger(ProtectionRounds.class);

  private static final int BATCH = 100;
  private static final Duration RETRY = Duration.ofSeconds(60);
  private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

  private final ProtectionPolicies policies;
  private final GroupRows groups;
  private final PointRows points;
  private final GroupVolumes members;
  private final VolumeStore store;
  private final Snapshots snapshots;
  private final VirtualVolumes volumes;

  public ProtectionRounds(
      ProtectionPolicies policies,
      JdbcClient jdbc,
      VolumeStore store,
      Snapshots snapshots,
      VirtualVolumes volumes) {
    this.policies = policies;
    this.groups = new GroupRows(jdbc);
    this.points = new PointRows(jdbc);
    this.members = new GroupVolumes(store);
    this.store = store;
    this.snapshots = snapshots;
    this.volumes = volumes;
  }

  /// Looks at the groups that are due, [#BATCH] at most in one call.
  ///
  /// @return number of points taken
  public int round() {
    int taken = 0;
    for (ProtectedGroup group : groups.due(store.seen(), BATCH)) {
      taken += look(group) ? 1 : 0;
    }
    return taken;
  }

  private boolean look(ProtectedGroup group) {
    ProtectionPolicy policy = policies.require(group.policy());
    ClockReading now = ProtectedGroups.reading(store);
    ClockReading handled = ProtectionRules.anchor(group.handled(), now);
    if (!handled.equals(group.handled())) {
      groups.anchored(group.id(), handled);
    }
    List<ProtectionRule> due = policy.rules().due(handled, now);
    boolean isTaken = !due.isEmpty() && takeDue(group, policy, due, now);
    expire(group.id(), policy.rules(), now.passed());
    groups.lookAt(group.id(), nextLook(policy.rules(), isTaken ? now : handled, now));
    return isTaken;
  }

  /// The next moment by the time that has passed, within the longest pause. A moment that is over
  /// already could not be taken, or waits after a leap of the clock.
  private static Instant nextLook(ProtectionRules rules, ClockReading handled, ClockReading now) {
    Duration until = Duration.between(now.clock(), rules.next(handled, now));
    if (!until.isPositive()) {
      return now.passed().plus(RETRY);
    }
    return now.passed().plus(until.compareTo(LONGEST_PAUSE) < 0 ? until : LONGEST_PAUSE);
  }

  private boolean takeDue(
      ProtectedGroup group, ProtectionPolicy policy, List<ProtectionRule> due, ClockReading now) {
    Set<String> rules = due.stream().map(ProtectionRule::name).collect(Collectors.toSet());
    String name = due.getFirst().nameOf(policy.name(), now.clock());
    try {
      RecoveryPoint point = new RecoveryPoint(UUID.randomUUID(), now.passed(), rules);
      take(group, point, name, () -> groups.handled(group.id(), now));
      return true;
    } catch (VasaException e) {
      groups.failed(group.id(), String.valueOf(e.getMessage()));
      log.atWarn()
          .addKeyValue("group", group.name())
          .addKeyValue("reason", e.getMessage())
          .log("a recovery point was not taken");
      return false;
    }
  }

  private void take(ProtectedGroup group, RecoveryPoint point, String name, Runnable alsoConclude) {
    List<VolumeId> taken = members.of(group.members());
    if (taken.isEmpty()) {
      throw VasaException.notFound(
          "expected volumes in protected group '%s', but it has none".formatted(group.name()));
    }
    snapshots.takeNow(
        taken,
        VolumeOrigin.ADMIN,
        Map.of(VolumeChoice.NAME_KEY, name, SnapshotChoice.GROUP_KEY, point.id().toString()),
        () -> {
          points.insert(group.id(), point);
          alsoConclude.run();
        });
  }

  /// Takes a point at once that no rule asked for and none gives up. What is due stays due.
  ///
  /// @param name of its snapshots
  /// @throws VasaException (NotFound) if the group is unknown or has no volumes; otherwise as
  ///   [Snapshots#takeNow]
  public RecoveryPoint protectNow(UUID id, String name) {
    ProtectedGroup group =
        groups
            .find(id)
            .orElseThrow(() -> VasaException.notFound("there is no protected group " + id));
    RecoveryPoint point = new RecoveryPoint(UUID.randomUUID(), store.seen(), Set.of());
    take(group, point, name, () -> {});
    return point;
  }

  private void expire(UUID group, ProtectionRules rules, Instant now) {
    points.deleteEmpty(group);
    for (RecoveryPoint point : rules.expired(points.of(group), now)) {
      for (VolumeId snapshot : points.snapshots(point.id())) {
        deleteIfFree(snapshot);
      }
    }
    points.deleteEmpty(group);
  }

  private void deleteIfFree(VolumeId snapshot) {
    try {
      volumes.delete(snapshot);
    } catch (VasaException e) {
      if (!(e.fault() instanceof Fault.ResourceInUse || e.fault() instanceof Fault.NotFound)) {
        throw e;
      }
    }
  }
}

package io.coppice.vasa.protection;

import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.rule.ClockReading;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.RecoveryPoint;
import io.coppice.vasa.volume.snapshot.LockLimit;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;

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
///
/// A group whose look fails is looked at again in a minute, behind those that wait already, and its
/// row has the reason. A round ends after some seconds, so that other duties have their turn; the
/// groups that are left come first in the next one.
@Service
public final class ProtectionRounds {

  private static final Logger log = LoggerFactory.getLogger(ProtectionRounds.class);

  private static final String TAKE = "recovery-points.take";
  private static final String EXPIRE = "recovery-points.expire";

  private static final int BATCH = 100;
  private static final Duration RETRY = Duration.ofSeconds(60);
  private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
  private static final Duration LONGEST_ROUND = Duration.ofSeconds(5);

  private final ProtectionPolicies policies;
  private final ProtectedGroups protectedGroups;
  private final GroupRows groups;
  private final RecoveryPoints points;
  private final VolumeStore store;
  private final OwnWork own;
  private final LockLimit limit;

  public ProtectionRounds(
      ProtectionPolicies policies,
      ProtectedGroups groups,
      RecoveryPoints points,
      VolumeStore store,
      OwnWork own,
      LockLimit limit) {
    this.limit = limit;
    this.policies = policies;
    this.protectedGroups = groups;
    this.groups = groups.rows();
    this.points = points;
    this.store = store;
    this.own = own;
  }

  /// Looks at the groups that are due, [#BATCH] at most in one call.
  ///
  /// @return number of points taken
  public int round() {
    long begin = System.nanoTime();
    points.lockTheRest();
    Set<UUID> taken = new HashSet<>();
    for (ProtectedGroup due : groups.due(store.seen(), BATCH)) {
      protectedGroups
          .turns()
          .doIfFree(
              due.id(),
              () ->
                  groups // as it is now: it may have changed before its turn
                      .find(due.id())
                      .filter(this::attempt)
                      .ifPresent(group -> taken.add(group.id())));
      if (System.nanoTime() - begin > LONGEST_ROUND.toNanos()) {
        break;
      }
    }
    own.done(TAKE, taken.size());
    return taken.size();
  }

  /// The time for which the point that failed and is due longest has been due; zero if none is.
  public Duration lag() {
    Instant now = store.now();
    return groups.failing().stream()
        .flatMap(
            group ->
                policies.find(group.policy()).stream()
                    .flatMap(policy -> protectedGroups.next(group, policy.rules()).stream()))
        .filter(due -> due.isBefore(now))
        .map(due -> Duration.between(due, now))
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /// Looks at a group. Whatever its failure is, only the database's stops the others.
  private boolean attempt(ProtectedGroup group) {
    try {
      return look(group);
    } catch (DataAccessException | TransactionException e) {
      throw e;
    } catch (RuntimeException e) {
      fail(group, e);
      groups.lookAt(group, store.seen().plus(RETRY));
      return false;
    }
  }

  private void fail(ProtectedGroup group, RuntimeException e) {
    String reason =
        e instanceof VasaException ? String.valueOf(e.getMessage()) : "an error: " + e.getMessage();
    if (!reason.equals(group.lastError())) { // a lasting failure is reported once
      own.failed(TAKE, group.name(), reason);
      log.atWarn()
          .addKeyValue("group", group.name())
          .addKeyValue("reason", reason)
          .setCause(e instanceof VasaException ? null : e)
          .log("a protection group was not served");
    }
    groups.failed(group.id(), reason);
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
    expire(group, policy.rules(), now.passed());
    groups.lookAt(group, nextLook(policy.rules(), isTaken ? now : handled, now));
    return isTaken;
  }

  /// The next moment by the time that has passed, within the longest pause. A moment that is over
  /// already could not be taken, or waits after a leap of the clock.
  private static Instant nextLook(ProtectionRules rules, ClockReading handled, ClockReading now) {
    Duration until =
        rules
            .next(handled, now)
            .map(next -> Duration.between(now.clock(), next))
            .orElse(LONGEST_PAUSE);
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
      points.take(group, point, name, lock(due), () -> groups.handled(group.id(), now));
      return true;
    } catch (VasaException e) {
      fail(group, e);
      return false;
    }
  }

  /// The longest lock of the rules that want a point, within what is allowed now.
  private Duration lock(List<ProtectionRule> due) {
    return due.stream()
        .map(ProtectionRule::lock)
        .max(Comparator.naturalOrder())
        .map(lock -> lock.compareTo(limit.longest()) < 0 ? lock : limit.longest())
        .orElse(Duration.ZERO);
  }

  private void expire(ProtectedGroup group, ProtectionRules rules, Instant now) {
    List<KeptPoint> kept = points.of(group.id());
    Map<UUID, KeptPoint> byId = new HashMap<>();
    kept.stream()
        .filter(point -> !point.snapshots().isEmpty()) // others are no points any more
        .forEach(point -> byId.put(point.point().id(), point));
    List<RecoveryPoint> judged = byId.values().stream().map(KeptPoint::point).toList();
    int expired = 0;
    for (RecoveryPoint point : rules.expired(judged, now)) {
      KeptPoint known = byId.get(point.id());
      expired += known != null && points.giveUp(known) ? 1 : 0;
    }
    own.done(EXPIRE, expired);
    points.settle(group);
  }
}

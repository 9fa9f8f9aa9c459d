package io.coppice.vasa.protection;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.protection.rule.Keeping;
import io.coppice.vasa.protection.rule.PointNaming;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.Recurrence;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Recovery points that their rule locks, when the process ends at each step of making one.
class LockedPointsTest {

  private static final Duration LOCK = Duration.ofHours(20);

  private ControlPlane plane = new ControlPlane();
  private final StorageContainer container = plane.container("c1");
  private final ProtectedGroup group = protect();

  private ProtectedGroup protect() {
    ProtectionRule rule =
        new ProtectionRule(
            "hour", new Recurrence.Hourly(0), new Keeping.Newest(20), PointNaming.USUAL, LOCK);
    ProtectionPolicy policy =
        plane.protection.policies.create(
            new ProtectionDraft("gold", "", new ProtectionRules(List.of(rule))), "ada");
    List<ProtectedMember> members =
        List.of(
            new ProtectedMember.Volume(plane.volume(container, GIB)),
            new ProtectedMember.Volume(plane.volume(container, GIB)));
    return plane.protection.groups.protect(new GroupDraft("shop", policy.id(), members));
  }

  private void restart() {
    plane.target.close();
    plane = plane.restarted();
    plane.reconciliation.atStart();
  }

  @Test
  void everyPointIsLockedWhereverTheProcessEnds() {
    boolean ended = true;
    int points = 0;
    for (int step = 1; ended; step++) {
      plane.clock.advance(Duration.ofMinutes(60));
      plane.steps.at(step);
      ended = catchThrowable(plane.protection.rounds::round) instanceof ProcessEnded;
      plane.steps.at(0);
      restart();
      plane.protection.rounds.round();
      requireLocked(++points);
    }
    assertThat(points).as("steps of a locked point").isGreaterThan(5);
  }

  /// Each point has both of its snapshots, locked for as long as the rule says from its making, and
  /// the pool has no others.
  private void requireLocked(int points) {
    List<KeptPoint> kept = plane.protection.points.of(group.id());
    assertThat(kept).hasSize(points);
    for (KeptPoint point : kept) {
      Instant end = point.point().taken().plus(LOCK);
      assertThat(point.snapshots()).hasSize(2);
      for (VolumeId snapshot : point.snapshots()) {
        assertThat(plane.locked.lockedUntil(snapshot).orElseThrow())
            .isBetween(end, end.plusSeconds(1));
      }
    }
    assertThat(plane.engine.list().stream().map(VolumeInfo::kind))
        .filteredOn(kind -> kind == VolumeKind.SNAPSHOT)
        .hasSize(2 * points);
  }

  @Test
  void aLimitThatWasLoweredCountsForLaterPoints() {
    plane.lockLimit.lower(Duration.ofHours(2));
    plane.clock.advance(Duration.ofHours(1));
    plane.protection.rounds.round();

    KeptPoint point = plane.protection.points.of(group.id()).getFirst();

    Instant end = point.point().taken().plus(Duration.ofHours(2));
    assertThat(plane.protection.points.lockedUntil(point).orElseThrow())
        .isBetween(end, end.plusSeconds(1));
  }
}

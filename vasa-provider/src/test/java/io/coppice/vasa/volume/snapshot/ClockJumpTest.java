package io.coppice.vasa.volume.snapshot;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.SESSION;
import static io.coppice.vasa.testing.ControlPlane.made;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.policy.ComplianceStatus;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Schedules, retention and compliance while the machine's clock jumps: they go by the time that
/// passes.
class ClockJumpTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  private ControlPlane plane;
  private VolumeId disk;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    disk = disk(HOUR.multipliedBy(3));
  }

  @AfterEach
  void close() {
    plane.target.close();
  }

  private VolumeId disk(Duration retention) {
    OfferedProfile hourly =
        plane.profiles.create(
            new ProfileDraft(
                "p" + retention, "", new Requirements(null, HOUR, retention), Set.of()),
            "admin");
    return made(
        plane.volumes.create(
            new NewVolume(
                plane.container("c" + retention).id(),
                VolumeType.DATA,
                VolumeOrigin.HOST,
                hourly.asStorageProfile(),
                GIB,
                Map.of("VMW_VmID", "vm-1"))));
  }

  /// Lets hours pass, with a round at the end of each.
  private void hours(int hours) {
    for (int hour = 0; hour < hours; hour++) {
      plane.clock.advance(HOUR);
      plane.schedules.takeDue();
      plane.schedules.deleteExpired();
    }
  }

  private List<VolumeId> kept() {
    return plane.snapshots.of(disk).stream().map(VirtualVolume::id).toList();
  }

  private ComplianceStatus compliance() {
    return plane.policies.compliance(disk, null, null).orElseThrow().status();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 365, -2, -365})
  void jumpWhileItRunsDeletesNothingAndHoldsNothingUp(int days) {
    hours(10);
    List<VolumeId> before = kept();
    assertThat(before).hasSize(3);

    plane.clock.jump(DAY.multipliedBy(days));

    assertThat(plane.schedules.takeDue()).isZero();
    assertThat(plane.schedules.deleteExpired()).isZero();
    assertThat(compliance()).isEqualTo(ComplianceStatus.COMPLIANT);
    hours(1);
    assertThat(kept()).hasSize(3).containsAll(before.subList(1, 3)).doesNotContain(before.get(0));
    assertThat(compliance()).isEqualTo(ComplianceStatus.COMPLIANT);
  }

  @ParameterizedTest
  @ValueSource(ints = {365, -365})
  void clockThatIsSetRightAgainDeletesNothingEither(int days) {
    hours(10);
    plane.clock.jump(DAY.multipliedBy(days));
    hours(2);
    List<VolumeId> before = kept();
    assertThat(before).hasSize(3);

    plane.clock.jump(DAY.multipliedBy(-days));

    assertThat(plane.schedules.deleteExpired()).isZero();
    hours(1);
    assertThat(kept()).hasSize(3);
    assertThat(before).filteredOn(kept()::contains).hasSize(2);
  }

  @Test
  void clockThatWentBackHidesNoMissedSnapshot() {
    hours(2);
    plane.clock.jump(DAY.negated());

    plane.clock.advance(HOUR.multipliedBy(3));

    assertThat(compliance()).isEqualTo(ComplianceStatus.NON_COMPLIANT);
    assertThat(plane.schedules.takeDue()).isEqualTo(1);
    assertThat(compliance()).as("its snapshots are old, too").isNotNull();
    assertThat(plane.schedules.require(disk).next())
        .as("what is shown is on the clock")
        .isBetween(plane.clock.instant(), plane.clock.instant().plus(HOUR));
    assertThat(plane.schedules.page(RowOrder.by("vvol"), 1).stream().map(plane.schedules::shown))
        .containsExactly(plane.schedules.require(disk));
  }

  @ParameterizedTest
  @ValueSource(ints = {365, -365})
  void jumpAcrossARestartMakesNothingOlderThanTheCountedOutage(int days) {
    disk = disk(DAY.multipliedBy(2));
    hours(10);
    plane.time.keep();

    plane.clock.jump(DAY.multipliedBy(days));
    plane = plane.restarted();

    assertThat(plane.schedules.deleteExpired()).as("of the disk that keeps hours").isLessThan(4);
    assertThat(kept()).hasSize(10);
    plane.schedules.takeDue();
    hours(1);
    assertThat(kept()).as("schedules go on").hasSizeGreaterThan(10);
    assertThat(compliance()).isEqualTo(ComplianceStatus.COMPLIANT);
  }

  @Test
  void preparedSnapshotsAndTasksOutliveAJump() {
    VolumeId prepared = ControlPlane.prepared(plane.snapshots.prepare(disk, null, SESSION));
    plane.snapshots.forgetPrepared(Set.of());
    int tasks = plane.tasks.count();

    plane.clock.jump(DAY.multipliedBy(365));

    assertThat(plane.snapshots.forgetPrepared(Set.of())).isZero();
    assertThat(plane.volumes.require(prepared).state()).isEqualTo(VvolState.PREPARED);
    assertThat(plane.tasks.forgetOld(plane.time)).isZero();
    plane.clock.advance(DAY.multipliedBy(2));
    assertThat(plane.snapshots.forgetPrepared(Set.of())).isEqualTo(1);
    assertThat(plane.tasks.forgetOld(plane.time)).isEqualTo(tasks);
  }
}

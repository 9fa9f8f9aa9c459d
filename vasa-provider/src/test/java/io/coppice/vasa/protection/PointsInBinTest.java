package io.coppice.vasa.protection;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.protection.rule.Keeping;
import io.coppice.vasa.protection.rule.PointNaming;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.Recurrence;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import io.coppice.vasa.testing.TestClock;
import io.coppice.vasa.volume.BinChoice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The recycle bin beside recovery points: what a person deletes comes back, what a rule gives up
/// does not go there.
class PointsInBinTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private static ControlPlane plane;
  private static StorageContainer container;
  private static ProtectionPolicy policy;
  private static int tests;

  private ProtectedGroup group;
  private VolumeId first;
  private VolumeId second;

  @BeforeAll
  static void open() {
    TestClock clock = new TestClock();
    plane = ControlPlane.withBin(new MemoryEngine(1L << 40, clock), clock, ControlPlane.BIN);
    container = plane.container("c1");
    ProtectionRule hourly =
        new ProtectionRule(
            "hour", new Recurrence.Hourly(0), new Keeping.Newest(2), PointNaming.USUAL);
    policy =
        plane.protection.policies.create(
            new ProtectionDraft("gold", "", new ProtectionRules(List.of(hourly))), "ada");
  }

  @AfterAll
  static void close() {
    plane.target.close();
  }

  /// A machine of two disks for each test, and no other group.
  @BeforeEach
  void protect() {
    String machine = "vm-" + ++tests;
    plane.protection.groups.list().stream()
        .map(ProtectedGroup::id)
        .forEach(id -> plane.protection.groups.release(id, PointsEnd.PURGE));
    first = plane.volume(container, GIB, Map.of("VMW_VmID", machine));
    second = plane.volume(container, GIB, Map.of("VMW_VmID", machine));
    group =
        plane.protection.groups.protect(
            new GroupDraft(machine, policy.id(), List.of(new ProtectedMember.Machine(machine))));
  }

  private List<KeptPoint> points() {
    return plane.protection.points.page(
        new PointChoice(group.id(), null, null), RowOrder.by("taken"), 100);
  }

  private List<VolumeId> inBin() {
    return plane
        .bin
        .page(new BinChoice(null, group.name(), null, null), RowOrder.by("deleted"), 100)
        .stream()
        .map(one -> one.id())
        .toList();
  }

  private long rows() {
    return plane
        .jdbc
        .sql("select count(*) from recovery_point where group_id = :group")
        .param("group", group.id())
        .query(Long.class)
        .single();
  }

  /// Runs a round each half an hour.
  private void pass(Duration time) {
    for (long minute = 0; minute < time.toMinutes(); minute += 30) {
      plane.clock.advance(Duration.ofMinutes(30));
      plane.protection.rounds.round();
    }
  }

  private KeptPoint taken() {
    return plane.protection.groups.takeNow(group.id(), "now");
  }

  @Test
  void whatARuleGivesUpIsGone() {
    pass(HOUR.multipliedBy(5));

    assertThat(points()).hasSize(2);
    assertThat(plane.snapshots.of(first)).hasSize(2);
    assertThat(inBin()).isEmpty();
  }

  @Test
  void aPointThatAPersonDeletedComesBackAndNoRuleGivesItUp() {
    pass(HOUR);
    KeptPoint point = points().getFirst();

    plane.protection.groups.deletePoint(point.point().id(), false);
    assertThat(points()).isEmpty();
    assertThat(plane.protection.points.of(group.id())).isEmpty();
    assertThat(plane.protection.points.count(new PointChoice(group.id(), null, null))).isZero();
    assertThat(plane.protection.points.youngest(Set.of(group.id()))).isEmpty();
    assertFault("NotFound", () -> plane.protection.points.require(point.point().id()));
    assertThat(inBin()).containsExactlyInAnyOrderElementsOf(point.snapshots());
    pass(HOUR.multipliedBy(4));
    assertThat(points()).as("by the rule").hasSize(2).doesNotContain(point);

    plane.bin.restore(point.snapshots().getFirst(), null);
    assertThat(plane.protection.points.require(point.point().id()).snapshots())
        .containsExactly(point.snapshots().getFirst());
    plane.bin.restore(point.snapshots().getLast(), null);
    pass(HOUR.multipliedBy(4));

    KeptPoint back = plane.protection.points.require(point.point().id());
    assertThat(back.snapshots()).isEqualTo(point.snapshots());
    assertThat(back.point().rules()).isEmpty();
    assertThat(points()).hasSize(3);
  }

  @Test
  void aPointLeavesNoRowWhenTheBinHasPurgedIt() {
    KeptPoint point = taken();
    plane.protection.groups.deletePoint(point.point().id(), false);
    assertThat(rows()).isOne();

    inBin().forEach(plane.bin::purge);
    pass(HOUR);

    assertThat(rows()).as("that of the rule").isOne();
    assertThat(points()).hasSize(1).doesNotContain(point);
  }

  @Test
  void aPointThatIsPurgedIsGoneAtOnce() {
    KeptPoint point = taken();

    plane.protection.groups.deletePoint(point.point().id(), true);

    assertThat(rows()).isZero();
    assertThat(inBin()).isEmpty();
    assertThat(plane.engine.find(point.snapshots().getFirst())).isEmpty();
  }

  @Test
  void theEndOfAGroupSaysWhatBecomesOfItsSnapshots() {
    List<VolumeId> snapshots = taken().snapshots();
    plane.protection.groups.release(group.id(), PointsEnd.DELETE);
    assertThat(inBin()).containsExactlyInAnyOrderElementsOf(snapshots);
    UUID before = group.id();

    protect();
    VolumeId purged = taken().snapshots().getFirst();
    plane.protection.groups.release(group.id(), PointsEnd.PURGE);

    assertThat(inBin()).isEmpty();
    assertThat(plane.engine.find(purged)).isEmpty();
    assertThat(plane.bin.restore(snapshots.getFirst(), null).snapshot()).isTrue();
    assertThat(plane.protection.points.of(before)).as("its group is gone").isEmpty();
  }

  @Test
  void snapshotsThatWereDeletedOneByOneTakeTheirPointAlong() {
    KeptPoint point = taken();
    plane.volumes.delete(point.snapshots().getFirst());
    assertThat(plane.protection.points.require(point.point().id()).snapshots()).hasSize(1);
    plane.volumes.delete(point.snapshots().getLast());
    pass(HOUR);
    assertThat(points()).hasSize(1).doesNotContain(point);

    plane.bin.restore(point.snapshots().getFirst(), null);

    assertThat(points()).hasSize(2);
  }

  @Test
  void aPointFollowsItsSnapshotWhenACrashCameBetween() {
    KeptPoint point = taken();
    plane.protection.groups.deletePoint(point.point().id(), false);
    plane.steps.when(
        "RESTORE CARRIED_OUT",
        () -> {
          throw new ProcessEnded();
        });
    assertThat(catchThrowable(() -> plane.bin.restore(point.snapshots().getFirst(), null)))
        .isInstanceOf(ProcessEnded.class);
    plane.target.close();
    plane = plane.restarted();
    plane.reconciliation.atStart();

    pass(HOUR);

    assertThat(plane.protection.points.require(point.point().id()).snapshots()).hasSize(1);
  }

  @Test
  void aDiskThatComesBackIsProtectedAgain() {
    plane.volumes.delete(second);
    assertThat(taken().snapshots()).hasSize(1);

    plane.bin.restore(second, null);

    List<VolumeId> origins = new ArrayList<>();
    taken().snapshots().forEach(one -> origins.add(plane.volumes.requireReady(one).parent()));
    assertThat(origins).containsExactlyInAnyOrder(first, second);
  }
}

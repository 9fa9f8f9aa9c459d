package io.coppice.vasa.protection;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.made;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.rule.Keeping;
import io.coppice.vasa.protection.rule.PointNaming;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.RecoveryPoint;
import io.coppice.vasa.protection.rule.Recurrence;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProtectionRoundsTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ProtectionRule HOURLY =
      rule("hour", new Recurrence.Hourly(0), new Keeping.Newest(3));
  private static final ProtectionRule DAILY =
      rule(
          "day",
          new Recurrence.Daily(LocalTime.of(2, 0), BERLIN),
          new Keeping.Younger(Duration.ofDays(2)));

  private ControlPlane plane;
  private StorageContainer container;
  private ProtectionPolicies policies;
  private ProtectedGroups groups;
  private ProtectionRounds rounds;
  private ProtectionPolicy policy;

  private static ProtectionRule rule(String name, Recurrence recurrence, Keeping keeping) {
    return new ProtectionRule(name, recurrence, keeping, PointNaming.USUAL);
  }

  @BeforeEach
  void open() {
    open(new ControlPlane());
    container = plane.container("c1");
    policy = policies.create(draft("gold", HOURLY, DAILY), "ada");
  }

  private void open(ControlPlane opened) {
    plane = opened;
    policies = plane.protection.policies;
    groups = plane.protection.groups;
    rounds = plane.protection.rounds;
  }

  private static ProtectionDraft draft(String name, ProtectionRule... rules) {
    return new ProtectionDraft(name, "", new ProtectionRules(List.of(rules)));
  }

  private VolumeId disk(String machine, VolumeType type) {
    return made(
        plane.volumes.create(
            new NewVolume(
                container.id(), type, VolumeOrigin.HOST, null, GIB, Map.of("VMW_VmID", machine))));
  }

  private ProtectedGroup protect(String... machines) {
    return protect(String.join("+", machines), policy.id(), members(machines));
  }

  private ProtectedGroup protect(String name, UUID by, List<ProtectedMember> members) {
    return groups.protect(new GroupDraft(name, by, members));
  }

  private static List<ProtectedMember> members(String... machines) {
    return List.of(machines).stream()
        .map(machine -> (ProtectedMember) new ProtectedMember.Machine(machine))
        .toList();
  }

  /// The points of a group, the oldest first.
  private List<RecoveryPoint> points(ProtectedGroup group) {
    return plane.protection.points.of(group.id()).stream().map(KeptPoint::point).toList();
  }

  /// Runs a round each five minutes.
  private int takenIn(Duration time) {
    int taken = 0;
    for (long minute = 0; minute < time.toMinutes(); minute += 5) {
      plane.clock.advance(Duration.ofMinutes(5));
      taken += rounds.round();
    }
    return taken;
  }

  @Test
  void pointIsOneCutOfTheMachineWithoutSwap() {
    VolumeId config = disk("vm-1", VolumeType.CONFIG);
    VolumeId data = disk("vm-1", VolumeType.DATA);
    VolumeId swap = disk("vm-1", VolumeType.SWAP);
    VolumeId other = disk("vm-2", VolumeType.DATA);
    AtomicInteger cuts = new AtomicInteger();
    plane.hooks.before("snapshot", cuts::incrementAndGet);
    ProtectedGroup group = protect("vm-1");
    assertThat(rounds.round()).isZero();

    assertThat(takenIn(HOUR)).isEqualTo(1);

    assertThat(cuts).hasValue(1);
    assertThat(plane.snapshots.of(config)).hasSize(1);
    assertThat(plane.snapshots.of(swap)).isEmpty();
    assertThat(plane.snapshots.of(other)).isEmpty();
    VirtualVolume snapshot = plane.snapshots.of(data).getFirst();
    assertThat(snapshot.metadata())
        .containsEntry(VolumeChoice.NAME_KEY, "gold hour 2026-11-21 13:00:00");
    assertThat(points(group)).extracting(RecoveryPoint::rules).containsExactly(Set.of("hour"));
  }

  @Test
  void severalMachinesAreOneCut() {
    disk("vm-1", VolumeType.DATA);
    disk("vm-2", VolumeType.DATA);
    AtomicInteger cuts = new AtomicInteger();
    plane.hooks.before("snapshot", cuts::incrementAndGet);
    protect("vm-1", "vm-2");

    takenIn(HOUR);

    assertThat(cuts).hasValue(1);
    assertThat(plane.engine.list()).hasSize(4);
  }

  @Test
  void pointsAreKeptAsTheRulesSay() {
    VolumeId disk = disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect("vm-1");

    assertThat(takenIn(Duration.ofDays(4))).isEqualTo(96);

    assertThat(points(group))
        .extracting(point -> point.rules().contains("day"))
        .containsExactly(true, true, false, false, false);
    assertThat(plane.snapshots.of(disk)).hasSize(5);
    assertThat(plane.engine.list()).hasSize(6);
  }

  @Test
  void outageIsMadeUpForByOnePoint() {
    disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect("vm-1");
    takenIn(HOUR);
    plane.time.keep();
    plane.clock.advance(Duration.ofHours(50));

    open(plane.restarted());

    assertThat(rounds.round()).isEqualTo(1);
    assertThat(rounds.round()).isZero();
    assertThat(points(group).getLast().rules()).containsExactlyInAnyOrder("hour", "day");
    assertThat(takenIn(HOUR)).isEqualTo(1);
  }

  @Test
  void clockThatJumpsHoldsNothingUpAndDeletesNothing() {
    VolumeId disk = disk("vm-1", VolumeType.DATA);
    protect("vm-1");
    takenIn(Duration.ofHours(3));
    Set<VolumeId> before = ids(disk);

    plane.clock.jump(Duration.ofDays(365));
    takenIn(Duration.ofMinutes(55));
    assertThat(ids(disk)).containsAll(before);
    plane.clock.jump(Duration.ofDays(-730));

    assertThat(takenIn(Duration.ofHours(4))).isBetween(3, 5);
  }

  private Set<VolumeId> ids(VolumeId disk) {
    return Set.copyOf(plane.snapshots.of(disk).stream().map(VirtualVolume::id).toList());
  }

  @Test
  void pointThatFailsIsTriedAgainAndTakenOnce() {
    disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect("vm-1");
    plane.hooks.before(
        "snapshot",
        () -> {
          throw new StorageException.OutOfSpace("the pool is full");
        });

    assertThat(takenIn(HOUR)).isZero();
    assertThat(groups.require(group.id()).lastError()).isEqualTo("the pool is full");
    assertThat(points(group)).isEmpty();
    plane.hooks.before("snapshot", () -> {});
    plane.clock.advance(Duration.ofMinutes(1));

    assertThat(rounds.round()).isEqualTo(1);
    assertThat(groups.require(group.id()).lastError()).isNull();
    assertThat(rounds.round()).isZero();
  }

  @Test
  void roundCutShortIsRepeatedAfterARestart() {
    disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect("vm-1");
    plane.clock.advance(HOUR);
    plane.hooks.endProcess("snapshot", true);
    assertThat(catchThrowable(() -> rounds.round())).isInstanceOf(ProcessEnded.class);

    open(plane.restarted());
    plane.reconciliation.atStart();

    assertThat(points(group)).isEmpty();
    assertThat(rounds.round()).isEqualTo(1);
    assertThat(plane.engine.list()).hasSize(2);
  }

  @Test
  void exportedSnapshotOutlivesItsTimeUntilItIsFree() {
    VolumeId disk = disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect("vm-1");
    takenIn(HOUR);
    VolumeId snapshot = plane.snapshots.of(disk).getFirst().id();
    plane.luns.export(
        OperationId.random(), snapshot, Optional.empty(), true, Set.of("iqn.2026-11.test:x"));

    takenIn(HOUR.multipliedBy(5));
    assertThat(points(group)).hasSize(4);
    plane.luns.unexport(OperationId.random(), snapshot);
    takenIn(HOUR);

    assertThat(points(group)).hasSize(3);
    assertThat(ids(disk)).doesNotContain(snapshot).hasSize(3);
  }

  @Test
  void snapshotThatAPersonDeletedIsNoPointAnyMore() {
    VolumeId disk = disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect("vm-1");
    takenIn(HOUR);

    plane.volumes.delete(plane.snapshots.of(disk).getFirst().id());
    takenIn(HOUR);

    assertThat(points(group)).hasSize(1);
  }

  @Test
  void pointOnDemandStaysAndDelaysNothing() {
    VolumeId disk = disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect("vm-1");

    RecoveryPoint point = groups.takeNow(group.id(), "before the upgrade").point();

    assertThat(plane.snapshots.of(disk).getFirst().metadata())
        .containsEntry(VolumeChoice.NAME_KEY, "before the upgrade");
    assertThat(takenIn(Duration.ofDays(1))).isEqualTo(24);
    assertThat(points(group).getFirst()).isEqualTo(point);
    assertThatThrownBy(() -> groups.takeNow(UUID.randomUUID(), "x"))
        .hasMessageStartingWith("there is no protection group");
  }

  @Test
  void pointsOfARuleThatWasTakenOutStay() {
    disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect("vm-1");
    takenIn(Duration.ofDays(2));
    long days = points(group).stream().filter(one -> one.rules().contains("day")).count();

    policies.update(policy.id(), 1, draft("gold", HOURLY));
    takenIn(Duration.ofDays(4));

    assertThat(points(group)).filteredOn(one -> one.rules().contains("day")).hasSize((int) days);
    assertThat(points(group)).hasSize((int) days + 3);
  }

  @Test
  void releasedGroupKeepsItsSnapshots() {
    VolumeId disk = disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect("vm-1");
    takenIn(Duration.ofHours(3));

    groups.release(group.id(), PointsEnd.KEEP);

    assertThat(takenIn(Duration.ofDays(3))).isZero();
    assertThat(ids(disk)).hasSize(3);
    policies.delete(policy.id());
    assertThat(policies.list()).isEmpty();
  }

  @Test
  void groupWithoutVolumesSaysSo() {
    VolumeId disk = disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect("vm-1");
    plane.volumes.delete(disk);

    assertThat(takenIn(HOUR)).isZero();

    assertThat(groups.require(group.id()).lastError())
        .isEqualTo("expected volumes in protection group 'vm-1', but it has none");
  }

  @Test
  void rulesOfEachKindComeBackFromTheirRows() {
    ProtectionDraft draft =
        draft(
            "all",
            rule("every", new Recurrence.Every(Duration.ofMinutes(15)), new Keeping.Newest(4)),
            HOURLY,
            DAILY,
            rule(
                "week",
                new Recurrence.Weekly(
                    Set.of(DayOfWeek.MONDAY, DayOfWeek.SUNDAY), LocalTime.of(23, 59), BERLIN),
                new Keeping.Newest(5)),
            new ProtectionRule(
                "month",
                new Recurrence.Monthly(
                    Recurrence.Monthly.LAST,
                    Set.of(Month.JANUARY, Month.DECEMBER),
                    LocalTime.MIDNIGHT,
                    ZoneId.of("UTC")),
                new Keeping.Younger(Duration.ofDays(400)),
                new PointNaming("{rule} {date}")));

    ProtectionPolicy made = policies.create(draft, "ada");

    assertThat(policies.require(made.id())).isEqualTo(made);
    assertThat(made.rules()).isEqualTo(draft.rules());
  }

  @Test
  void policyThatChangedMeanwhileIsNotReplaced() {
    ProtectionPolicy changed = policies.update(policy.id(), 1, draft("silver", DAILY));

    assertThat(changed.generation()).isEqualTo(2);
    assertThat(changed.rules().rules()).containsExactly(DAILY);
    assertThatThrownBy(() -> policies.update(policy.id(), 1, draft("x", DAILY)))
        .isInstanceOfSatisfying(
            VasaException.class, e -> assertThat(e.fault()).isEqualTo(new Fault.ResourceInUse()))
        .hasMessageContaining("expected generation 1");
    assertThat(policies.require(policy.id())).isEqualTo(changed);
  }

  @Test
  void policyThatProtectsIsNotDeleted() {
    disk("vm-1", VolumeType.DATA);
    protect("vm-1");

    assertThatThrownBy(() -> policies.delete(policy.id()))
        .isInstanceOfSatisfying(
            VasaException.class, e -> assertThat(e.fault()).isEqualTo(new Fault.ResourceInUse()));
    assertThatThrownBy(() -> policies.delete(UUID.randomUUID()))
        .hasMessageStartingWith("there is no protection policy");
  }

  @Test
  void badPoliciesAndGroupsAreRefused() {
    disk("vm-1", VolumeType.DATA);
    protect("vm-1");

    assertThatThrownBy(() -> policies.create(draft("gold", DAILY), "ada"))
        .hasMessage("expected an unused policy name, but 'gold' is taken");
    assertThatThrownBy(() -> policies.create(draft(" ", DAILY), "ada"))
        .hasMessage("expected a policy name of 1 to 80 characters, got 1");
    assertThatThrownBy(
            () ->
                policies.create(
                    draft(
                        "often",
                        rule(
                            "r",
                            new Recurrence.Every(Duration.ofSeconds(5)),
                            new Keeping.Newest(1))),
                    "ada"))
        .hasMessageContaining("of at least PT1M, got PT5S");
    assertThatThrownBy(() -> protect("vm-1"))
        .hasMessage("expected an unused group name, but 'vm-1' is taken");
    List<ProtectedMember> one = List.of(new ProtectedMember.Machine("vm-1"));
    assertThatThrownBy(() -> protect("g", policy.id(), one))
        .hasMessage("expected members that no other group has, but one of 'g' is in one already");
    assertThatThrownBy(() -> protect("g", policy.id(), List.of()))
        .hasMessage("expected 1 to 256 members, got 0");
    assertThatThrownBy(() -> protect("g", policy.id(), List.of(one.getFirst(), one.getFirst())))
        .hasMessage("expected each member once, got one twice");
    assertThatThrownBy(() -> protect("vm-9")).hasMessage("there is no virtual machine vm-9");
    disk("vm-2", VolumeType.DATA);
    assertThatThrownBy(
            () -> protect("g", new UUID(1, 1), List.of(new ProtectedMember.Machine("vm-2"))))
        .hasMessageStartingWith("there is no protection policy");
  }
}

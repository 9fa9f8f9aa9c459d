package io.coppice.vasa.volume.policy;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.made;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.policy.Capabilities;
import io.coppice.vasa.policy.CapabilityId;
import io.coppice.vasa.policy.Compliance;
import io.coppice.vasa.policy.ComplianceStatus;
import io.coppice.vasa.policy.PointDemand;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.policy.Violation;
import io.coppice.vasa.protection.GroupDraft;
import io.coppice.vasa.protection.ProtectedMember;
import io.coppice.vasa.protection.ProtectionDraft;
import io.coppice.vasa.protection.WatchRule;
import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.protection.rule.Keeping;
import io.coppice.vasa.protection.rule.PointNaming;
import io.coppice.vasa.protection.rule.PointTier;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.Recurrence;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Demands of profiles for recovery points, against what groups and schedules promise and do.
class PointPoliciesTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final ProtectionRule HOURLY =
      rule("hour", new Recurrence.Hourly(0), new Keeping.Newest(24), Duration.ZERO);
  private static final ProtectionRule DAILY =
      rule(
          "day",
          new Recurrence.Daily(LocalTime.of(2, 0), ZoneOffset.UTC),
          new Keeping.Younger(DAY.multipliedBy(14)),
          DAY.multipliedBy(7));

  private ControlPlane plane;
  private StorageContainer container;

  private static ProtectionRule rule(
      String name, Recurrence recurrence, Keeping keeping, Duration lock) {
    return new ProtectionRule(name, recurrence, keeping, PointNaming.USUAL, lock);
  }

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
  }

  private VolumeId disk(VolumeType type, String machine, Requirements demand) {
    StorageProfile profile =
        plane
            .profiles
            .create(new ProfileDraft(UUID.randomUUID().toString(), "", demand, Set.of()), "ada")
            .asStorageProfile();
    return made(
        plane.volumes.create(
            new NewVolume(
                container.id(),
                type,
                VolumeOrigin.HOST,
                profile,
                GIB,
                Map.of("VMW_VmID", machine))));
  }

  private VolumeId disk(
      @Nullable Duration age, @Nullable Duration kept, @Nullable Duration locked) {
    return disk(VolumeType.DATA, "vm-1", demand(age, kept, locked));
  }

  private static Requirements demand(
      @Nullable Duration age, @Nullable Duration kept, @Nullable Duration locked) {
    return new Requirements(
        null, null, null, Requirements.NONE.limits(), new PointDemand(age, kept, locked));
  }

  private void protect(List<ProtectedMember> members, ProtectionRule... rules) {
    UUID policy =
        plane
            .protection
            .policies
            .create(
                new ProtectionDraft(
                    UUID.randomUUID().toString(), "", new ProtectionRules(List.of(rules))),
                "ada")
            .id();
    plane.protection.groups.protect(new GroupDraft(UUID.randomUUID().toString(), policy, members));
  }

  private static List<ProtectedMember> machine(String id) {
    return List.of(new ProtectedMember.Machine(id));
  }

  /// Runs a round each five minutes.
  private void run(Duration time) {
    for (long minute = 0; minute < time.toMinutes(); minute += 5) {
      plane.clock.advance(Duration.ofMinutes(5));
      plane.protection.rounds.round();
      plane.schedules.takeDue();
    }
  }

  private Compliance compliance(VolumeId id) {
    return plane.policies.compliance(id, null, null).orElseThrow();
  }

  private void assertKept(VolumeId id) {
    assertThat(compliance(id).violations()).isEmpty();
    assertThat(compliance(id).status()).isEqualTo(ComplianceStatus.COMPLIANT);
  }

  private void assertViolation(
      VolumeId id, CapabilityId capability, Duration expected, Duration current, String why) {
    assertThat(compliance(id).status()).isEqualTo(ComplianceStatus.NON_COMPLIANT);
    assertThat(compliance(id).violations())
        .containsExactly(
            Violation.of(capability, Capabilities.span(expected), Capabilities.span(current))
                .because(why));
  }

  @Test
  void diskIsPlacedAndIsNotCompliantUntilItIsProtected() {
    VolumeId id = disk(HOUR, null, null);

    assertViolation(
        id, Capabilities.POINT_AGE, HOUR, Duration.ZERO, "nothing takes recovery points of it");
    protect(machine("vm-1"), HOURLY);
    assertKept(id);
  }

  @Test
  void youngestPointIsHeldAgainstThePromise() {
    VolumeId id = disk(HOUR, null, null);
    protect(machine("vm-1"), HOURLY);
    run(HOUR.multipliedBy(3));
    assertKept(id);

    plane.clock.advance(Duration.ofMinutes(65)); // a tenth is tolerated
    assertKept(id);
    plane.clock.advance(Duration.ofMinutes(2));

    assertViolation(
        id,
        Capabilities.POINT_AGE,
        HOUR,
        Duration.ofMinutes(67),
        "its youngest recovery point is 1 hour 7 minutes old, and the policy asks for one of 1 hour at most");
    plane.protection.rounds.round();
    assertKept(id);
    plane
        .jdbc
        .sql("select id from recovery_point")
        .query((row, _) -> row.getObject("id", UUID.class))
        .list()
        .forEach(point -> plane.protection.groups.deletePoint(point, true));
    assertThat(compliance(id).violations())
        .singleElement()
        .extracting(Violation::reason)
        .asString()
        .startsWith("it has no recovery point yet");
  }

  @Test
  void pointsBeforeADiskCameToItsMachineAreNotItsOwn() {
    VolumeId first = disk(HOUR, null, null);
    protect(machine("vm-1"), HOURLY);
    run(HOUR.multipliedBy(2));
    VolumeId late = disk(HOUR, null, null);
    plane.clock.advance(Duration.ofMinutes(67));

    assertThat(compliance(late).violations())
        .singleElement()
        .extracting(Violation::reason)
        .asString()
        .startsWith("it has no recovery point yet");
    plane.protection.rounds.round();
    assertKept(late);
    assertKept(first);
  }

  @Test
  void promiseThatIsWeakerThanTheDemandIsAViolationWhateverWasTaken() {
    VolumeId id = disk(Duration.ofMinutes(15), DAY.multipliedBy(30), DAY);
    protect(machine("vm-1"), HOURLY);
    run(HOUR);

    assertThat(compliance(id).violations())
        .extracting(one -> one.expected().id(), Violation::reason)
        .containsExactly(
            tuple(
                Capabilities.POINT_AGE,
                "recovery points are taken 1 hour apart, and the policy asks for 15 minutes at most"),
            tuple(
                Capabilities.POINTS_KEPT,
                "recovery points are kept for 1 day, and the policy asks for 30 days at least"),
            tuple(Capabilities.POINTS_LOCKED, "no recovery point of it is locked"));
  }

  @Test
  void eachDemandMayBeMetByAnotherRule() {
    VolumeId id = disk(HOUR, DAY.multipliedBy(14), DAY.multipliedBy(7));
    protect(machine("vm-1"), HOURLY, DAILY);
    assertKept(id);

    plane.lockLimit.lower(DAY);

    assertViolation(
        id,
        Capabilities.POINTS_LOCKED,
        DAY.multipliedBy(7),
        DAY,
        "recovery points are locked for 1 day, and the policy asks for 7 days at least");
  }

  @Test
  void groupOfADiskAndGroupOfItsMachineCountTogether() {
    VolumeId id = disk(HOUR, DAY.multipliedBy(14), null);
    protect(List.of(new ProtectedMember.Volume(id)), HOURLY);
    assertThat(compliance(id).violations()).hasSize(1);

    protect(machine("vm-1"), DAILY);

    assertKept(id);
  }

  @Test
  void scheduleOfTheProfileItselfIsProtection() {
    Requirements both =
        new Requirements(
            null, HOUR, DAY, Requirements.NONE.limits(), new PointDemand(HOUR, DAY, null));
    VolumeId id = disk(VolumeType.DATA, "vm-1", both);
    run(HOUR.multipliedBy(2));
    assertKept(id);

    plane.schedules.enable(id, false, true);

    assertThat(compliance(id).violations())
        .extracting(one -> one.expected().id())
        .contains(Capabilities.POINT_AGE, Capabilities.POINTS_KEPT);
  }

  @Test
  void continuousPointsAreAsOldAsTheLastCutAndTheirFinestTier() {
    VolumeId id = disk(MINUTE, DAY, null);
    protectContinuously("vm-1");
    assertKept(id); // it is younger than a point may be
    plane.protection.continuous.roundWhenDue();
    plane.protection.cuts.round();

    plane.clock.advance(HOUR);
    plane.protection.cuts.round(); // nothing was written, so no point is missing
    assertKept(id);
    plane.clock.advance(Duration.ofSeconds(116)); // a minute is tolerated
    assertViolation(
        id,
        Capabilities.POINT_AGE,
        MINUTE,
        Duration.ofSeconds(121),
        "its youngest recovery point is 2 minutes 1 second old, and the policy asks for one of 1 minute at most");
    plane.protection.cuts.round();
    assertKept(id);
  }

  @Test
  void continuousPointsAreKeptByTheLastTierAndNeverLocked() {
    VolumeId id = disk(MINUTE, DAY.multipliedBy(8), HOUR);
    protectContinuously("vm-1");
    plane.protection.continuous.roundWhenDue();
    plane.protection.cuts.round();

    assertThat(compliance(id).violations())
        .extracting(one -> one.expected().id())
        .containsExactly(Capabilities.POINTS_KEPT, Capabilities.POINTS_LOCKED);
  }

  @Test
  void volumeThatCannotHaveContinuousPointsIsPromisedNone() {
    VolumeId id =
        disk(
            VolumeType.DATA,
            "vm-1",
            new Requirements(
                SpaceEfficiency.THICK,
                null,
                null,
                Requirements.NONE.limits(),
                new PointDemand(MINUTE, null, null)));
    protectContinuously("vm-1");
    plane.protection.continuous.roundWhenDue();
    plane.protection.cuts.round();

    assertViolation(
        id, Capabilities.POINT_AGE, MINUTE, Duration.ZERO, "nothing takes recovery points of it");
    protect(List.of(new ProtectedMember.Volume(id)), HOURLY);
    assertViolation(
        id,
        Capabilities.POINT_AGE,
        MINUTE,
        HOUR,
        "recovery points are taken 1 hour apart, and the policy asks for 1 minute at most");
  }

  private void protectContinuously(String machine) {
    ContinuousRule tiers =
        new ContinuousRule(
            List.of(
                new PointTier(Duration.ofSeconds(5), HOUR),
                new PointTier(MINUTE, DAY.multipliedBy(7))));
    UUID policy =
        plane
            .protection
            .policies
            .create(
                new ProtectionDraft(
                    "continuous", "", new ProtectionRules(List.of()), tiers, WatchRule.USUAL),
                "ada")
            .id();
    plane.protection.groups.protect(new GroupDraft("continuous", policy, machine(machine)));
  }

  @Test
  void swapAndMemoryDemandNothing() {
    assertKept(disk(VolumeType.SWAP, "vm-1", demand(HOUR, DAY, DAY)));
    assertKept(disk(VolumeType.MEMORY, "vm-1", demand(HOUR, DAY, DAY)));
  }

  @Test
  void demandOutlivesTheDatabase() {
    VolumeId id = disk(HOUR, DAY, DAY.multipliedBy(7));
    PointDemand before = plane.store.requireReady(id).requirements().points();

    ControlPlane rebuilt = plane.withoutItsDatabase();
    rebuilt.reconciliation.atStart();

    assertThat(before).isEqualTo(new PointDemand(HOUR, DAY, DAY.multipliedBy(7)));
    assertThat(rebuilt.store.requireReady(id).requirements().points()).isEqualTo(before);
  }

  @Test
  void profileKeepsItsDemandAndOffersItToVcenter() {
    Requirements demand = demand(HOUR, DAY, DAY.multipliedBy(7));
    StorageProfile profile =
        plane
            .profiles
            .create(new ProfileDraft("gold", "", demand, Set.of()), "ada")
            .asStorageProfile();

    assertThat(plane.profiles.require(profile.id()).requirements()).isEqualTo(demand);
    assertThat(Capabilities.requirementsOf(profile)).isEqualTo(demand);
    assertThat(new ArrayList<>(profile.subProfiles().getFirst().capabilities()))
        .extracting(one -> one.id().id())
        .containsExactly("recoveryPointAge", "recoveryPointsKept", "recoveryPointsLocked");
  }
}

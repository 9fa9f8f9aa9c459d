package io.coppice.vasa.volume.policy;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.HOST;
import static io.coppice.vasa.testing.ControlPlane.made;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.policy.Capabilities;
import io.coppice.vasa.policy.CapabilityId;
import io.coppice.vasa.policy.CapabilityValue;
import io.coppice.vasa.policy.CapabilityValue.Span;
import io.coppice.vasa.policy.CapabilityValue.Text;
import io.coppice.vasa.policy.Compliance;
import io.coppice.vasa.policy.ComplianceStatus;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.policy.SpanUnit;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.policy.Violation;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VolumePoliciesTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  private ControlPlane plane;
  private StorageContainer container;
  private OfferedProfile thick;
  private OfferedProfile hourly;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
    thick = offer("thick", new Requirements(SpaceEfficiency.THICK, null, null));
    hourly = offer("hourly", new Requirements(null, HOUR, DAY));
  }

  @Test
  void thickVolumeHasItsSpaceSetAside() {
    VolumeId id = volume(thick.asStorageProfile());

    assertThat(plane.engine.find(id)).map(VolumeInfo::reserved).contains(true);
    assertThat(plane.engine.space().reserved()).isEqualTo(GIB);
    assertThat(compliance(id).status()).isEqualTo(ComplianceStatus.COMPLIANT);
  }

  @Test
  void thickVolumeWithoutReservationIsNonCompliant() {
    VolumeId id = volume(thick.asStorageProfile());

    plane.engine.reserve(OperationId.random(), id, false);

    assertViolation(id, Capabilities.SPACE_EFFICIENCY, new Text("Thick"), new Text("Thin"));
  }

  @Test
  void twoThickVolumesMadeAtOnceDoNotShareTheRoomOfOne() throws Exception {
    StorageContainer small = plane.containers.create("small", GIB);
    AtomicInteger made = new AtomicInteger();
    List<Thread> makers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      makers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    if (catchThrowable(() -> volumeIn(small, thick.asStorageProfile())) == null) {
                      made.incrementAndGet();
                    }
                  }));
    }
    for (Thread maker : makers) {
      maker.join();
    }

    assertThat(made).hasValue(1);
    assertThat(plane.engine.list()).hasSize(1);
  }

  @Test
  void reservationIsTakenBackWhenTheRestOfTheChangeIsRefused() {
    VolumeId id = volume(hourly.asStorageProfile());
    plane.hooks.before(
        "setAttributes",
        () -> {
          throw new StorageException.OutOfSpace("the pool is full");
        });

    assertFault("OutOfResource", () -> plane.policies.apply(id, thick.asStorageProfile()));

    assertThat(plane.engine.find(id)).map(VolumeInfo::reserved).contains(false);
  }

  @Test
  void thickVolumeThatDoesNotFitIsOutOfResource() {
    StorageContainer small = plane.containers.create("small", GIB);
    volumeIn(small, thick.asStorageProfile());

    assertFault("OutOfResource", () -> volumeIn(small, thick.asStorageProfile()));
    assertThat(plane.engine.list()).hasSize(1);
  }

  @Test
  void missedScheduleIsNonCompliantUntilItRuns() {
    VolumeId id = volume(hourly.asStorageProfile());
    assertThat(compliance(id).status()).isEqualTo(ComplianceStatus.COMPLIANT);

    plane.clock.advance(Duration.ofHours(3));

    assertViolation(
        id,
        Capabilities.SNAPSHOT_INTERVAL,
        new Span(1, SpanUnit.HOURS),
        new Span(3, SpanUnit.HOURS));
    assertThat(plane.schedules.takeDue()).isEqualTo(1);
    assertThat(compliance(id).status()).isEqualTo(ComplianceStatus.COMPLIANT);
  }

  @Test
  void scheduleThatIsSwitchedOffIsNonCompliant() {
    VolumeId id = volume(hourly.asStorageProfile());

    plane.schedules.enable(id, false, true);

    assertViolation(
        id,
        Capabilities.SNAPSHOT_INTERVAL,
        new Span(1, SpanUnit.HOURS),
        new Span(0, SpanUnit.SECONDS));
    plane.clock.advance(Duration.ofHours(3));
    assertThat(plane.schedules.takeDue()).isZero();
  }

  @Test
  void retentionThatIsSwitchedOffIsNonCompliantAndDeletesNothing() {
    VolumeId id = volume(hourly.asStorageProfile());
    plane.clock.advance(HOUR);
    plane.schedules.takeDue();

    plane.schedules.enable(id, true, false);

    assertViolation(
        id,
        Capabilities.SNAPSHOT_RETENTION,
        new Span(1, SpanUnit.DAYS),
        new Span(0, SpanUnit.SECONDS));
    plane.clock.advance(DAY.multipliedBy(2));
    assertThat(plane.schedules.deleteExpired()).isZero();
  }

  @Test
  void snapshotKeptTooLongIsNonCompliant() {
    VolumeId id = volume(hourly.asStorageProfile());
    plane.clock.advance(HOUR);
    plane.schedules.takeDue();
    plane.clock.advance(DAY.multipliedBy(2));
    plane.schedules.takeDue();

    assertViolation(
        id,
        Capabilities.SNAPSHOT_RETENTION,
        new Span(1, SpanUnit.DAYS),
        new Span(2, SpanUnit.DAYS));
    assertThat(plane.schedules.deleteExpired()).isEqualTo(1);
    assertThat(compliance(id).status()).isEqualTo(ComplianceStatus.COMPLIANT);
  }

  @Test
  void changedProfileIsAMismatchUntilItIsApplied() {
    VolumeId id = volume(hourly.asStorageProfile());
    OfferedProfile edited =
        plane.profiles.update(
            hourly.id(),
            1,
            new ProfileDraft(
                "hourly", "", new Requirements(null, HOUR.multipliedBy(2), DAY), Set.of()));

    Compliance before = plane.policies.compliance(id, edited.id(), 2L).orElseThrow();
    assertThat(before.mismatch()).isTrue();
    assertThat(before.status()).isEqualTo(ComplianceStatus.UNKNOWN);

    plane.policies.apply(id, edited.asStorageProfile());

    Compliance after = plane.policies.compliance(id, edited.id(), 2L).orElseThrow();
    assertThat(after.mismatch()).isFalse();
    assertThat(after.status()).isEqualTo(ComplianceStatus.COMPLIANT);
    assertThat(plane.schedules.require(id).interval()).isEqualTo(HOUR.multipliedBy(2));
  }

  @Test
  void volumeWithoutProfileHasNoResultUnlessOneIsAskedAbout() {
    VolumeId id = plane.volume(container, GIB);

    assertThat(plane.policies.compliance(id, null, null)).isEmpty();
    assertThat(plane.policies.compliance(id, thick.id(), 1L).orElseThrow().mismatch()).isTrue();
    assertFault("NotFound", () -> plane.policies.compliance(VolumeId.random(), null, null));
  }

  @Test
  void policyOfABoundVolumeChangesBothWays() {
    VolumeId id = plane.volume(container, GIB);
    plane.bindings.bind(HOST, plane.declareHost(), List.of(id));

    plane.policies.apply(id, thick.asStorageProfile());
    assertThat(plane.engine.find(id)).map(VolumeInfo::reserved).contains(true);
    assertThat(plane.volumes.require(id).thick()).isTrue();
    OfferedProfile thin = offer("thin", new Requirements(SpaceEfficiency.THIN, null, null));
    plane.policies.apply(id, thin.asStorageProfile());

    assertThat(plane.engine.find(id)).map(VolumeInfo::reserved).contains(false);
    assertThat(compliance(id).profile()).isEqualTo(thin.id());
    assertFault("NotFound", () -> plane.policies.apply(VolumeId.random(), thin.asStorageProfile()));
  }

  @Test
  void changeOfPolicyCutShortBetweenItsTwoCallsIsTakenBack() {
    VolumeId id = plane.volume(container, GIB);
    OfferedProfile thin = offer("thin", new Requirements(SpaceEfficiency.THIN, null, null));
    plane.policies.apply(id, thin.asStorageProfile());
    plane.hooks.endProcess("setAttributes", false);
    assertThat(catchThrowable(() -> plane.policies.apply(id, thick.asStorageProfile())))
        .isInstanceOf(ProcessEnded.class);
    assertThat(plane.engine.find(id)).map(VolumeInfo::reserved).contains(true);

    plane = plane.restarted();
    plane.reconciliation.atStart();

    assertThat(plane.engine.find(id)).map(VolumeInfo::reserved).contains(false);
    assertThat(compliance(id).status()).isEqualTo(ComplianceStatus.COMPLIANT);
  }

  @Test
  void defaultOfTheContainerIsGivenToVolumesWithoutProfile() {
    plane.profiles.setDefault(container.id(), "Data", thick.id());

    VolumeId id = plane.volume(container, GIB);

    assertThat(plane.volumes.require(id).profile()).isEqualTo(new AppliedProfile(thick.id(), 1));
    assertThat(plane.engine.find(id)).map(VolumeInfo::reserved).contains(true);
    assertFault("ResourceInUse", () -> plane.profiles.delete(thick.id()));
    plane.profiles.setDefault(container.id(), "Data", null);
    plane.profiles.delete(thick.id());
  }

  @Test
  void profileIsRefusedWhereItIsNotOffered() {
    StorageContainer other = plane.container("c2");
    OfferedProfile only =
        plane.profiles.create(
            new ProfileDraft("only", "", Requirements.NONE, Set.of(other.id())), "admin");

    assertFault("InvalidProfile", () -> volume(only.asStorageProfile()));
    volumeIn(other, only.asStorageProfile());
    assertThat(offeredIn(container)).doesNotContain(only.id());
    assertThat(offeredIn(other)).contains(only.id());
  }

  @Test
  void staleEditionOfAProfileIsNotOverwritten() {
    ProfileDraft draft = new ProfileDraft("thick", "", Requirements.NONE, Set.of());
    plane.profiles.update(thick.id(), 1, draft);

    assertFault("ResourceInUse", () -> plane.profiles.update(thick.id(), 1, draft));
    assertFault("NotFound", () -> plane.profiles.update("none", 1, draft));
    assertFault("InvalidArgument", () -> offer("hourly", Requirements.NONE));
    assertFault("InvalidArgument", () -> offer("", Requirements.NONE));
    assertFault("InvalidProfile", () -> offer("x", new Requirements(null, null, DAY)));
  }

  private List<String> offeredIn(StorageContainer one) {
    return plane.profiles.offeredIn(List.of(one.id())).get(one.id());
  }

  private OfferedProfile offer(String name, Requirements requirements) {
    return plane.profiles.create(new ProfileDraft(name, "", requirements, Set.of()), "admin");
  }

  private VolumeId volume(StorageProfile profile) {
    return volumeIn(container, profile);
  }

  private VolumeId volumeIn(StorageContainer where, StorageProfile profile) {
    return made(
        plane.volumes.create(
            new NewVolume(
                where.id(),
                VolumeType.DATA,
                VolumeOrigin.HOST,
                profile,
                GIB,
                Map.of("VMW_VVolName", "disk"))));
  }

  private Compliance compliance(VolumeId id) {
    return plane.policies.compliance(id, null, null).orElseThrow();
  }

  private void assertViolation(
      VolumeId id, CapabilityId capability, CapabilityValue expected, CapabilityValue current) {
    Compliance compliance = compliance(id);
    assertThat(compliance.status()).isEqualTo(ComplianceStatus.NON_COMPLIANT);
    assertThat(compliance.violations())
        .containsExactly(Violation.of(capability, expected, current));
  }
}

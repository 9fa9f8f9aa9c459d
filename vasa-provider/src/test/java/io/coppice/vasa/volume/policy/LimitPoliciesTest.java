package io.coppice.vasa.volume.policy;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.HOST;
import static io.coppice.vasa.testing.ControlPlane.made;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.limit.LimitAttributes;
import io.coppice.scsi.limit.Limits;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.policy.Capabilities;
import io.coppice.vasa.policy.CapabilityValue.Number;
import io.coppice.vasa.policy.Compliance;
import io.coppice.vasa.policy.ComplianceStatus;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.Violation;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.copy.Clones;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.store.PoolAttributes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `maxIops` and `maxBandwidth`: what a policy asks for stands in the pool, and what stands in the
/// pool decides whether the policy is kept.
class LimitPoliciesTest {

  private static final Limits SLOW = new Limits(500, 50 << 20);

  private ControlPlane plane;
  private StorageContainer container;
  private OfferedProfile slow;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
    slow = offer("slow", SLOW);
  }

  @Test
  void newVolumeIsHeldToTheLimitsOfItsPolicy() {
    VolumeId id = volume(slow);

    assertThat(enforced(id)).isEqualTo(SLOW);
    assertThat(plane.volumes.require(id).requirements().limits()).isEqualTo(SLOW);
    assertThat(compliance(id).status()).isEqualTo(ComplianceStatus.COMPLIANT);
    assertThat(plane.profiles.require(slow.id()).requirements().limits()).isEqualTo(SLOW);
  }

  @Test
  void volumeWithoutPolicyHasNoLimit() {
    assertThat(enforced(plane.volume(container, GIB))).isEqualTo(Limits.NONE);
  }

  @Test
  void otherLimitInThePoolIsNonCompliantForEachCapability() {
    VolumeId id = volume(slow);

    plane.engine.setAttributes(
        OperationId.random(),
        id,
        Map.of(LimitAttributes.IOPS, "1000"),
        Set.of(LimitAttributes.BANDWIDTH));

    Compliance compliance = compliance(id);
    assertThat(compliance.status()).isEqualTo(ComplianceStatus.NON_COMPLIANT);
    assertThat(compliance.violations())
        .containsExactly(
            Violation.of(Capabilities.MAX_IOPS, new Number(500), new Number(1000)),
            Violation.of(Capabilities.MAX_BANDWIDTH, new Number(50 << 20), new Number(0)));
    plane.policies.apply(id, slow.asStorageProfile());
    assertThat(compliance(id).status()).isEqualTo(ComplianceStatus.COMPLIANT);
  }

  @Test
  void unreadableLimitInThePoolIsNonCompliant() {
    VolumeId id = volume(slow);

    plane.engine.setAttributes(
        OperationId.random(), id, Map.of(LimitAttributes.IOPS, "plenty"), Set.of());

    assertThat(compliance(id).violations())
        .containsExactly(Violation.of(Capabilities.MAX_IOPS, new Number(500), new Number(0)));
  }

  @Test
  void policyOfABoundVolumeChangesItsLimitsBothWays() {
    VolumeId id = plane.volume(container, GIB);
    plane.bindings.bind(HOST, plane.declareHost(), List.of(id));

    plane.policies.apply(id, slow.asStorageProfile());
    assertThat(enforced(id)).isEqualTo(SLOW);
    plane.policies.apply(id, offer("fast", new Limits(9000, 0)).asStorageProfile());
    assertThat(enforced(id)).isEqualTo(new Limits(9000, 0));
    plane.policies.apply(id, offer("free", Limits.NONE).asStorageProfile());

    assertThat(enforced(id)).isEqualTo(Limits.NONE);
    assertThat(compliance(id).status()).isEqualTo(ComplianceStatus.COMPLIANT);
  }

  @Test
  void changeOfPolicyKeepsTheWeight() {
    VolumeId id = volume(slow);
    plane.engine.setAttributes(
        OperationId.random(), id, Map.of(LimitAttributes.WEIGHT, "7"), Set.of());

    plane.policies.apply(id, offer("free", Limits.NONE).asStorageProfile());

    assertThat(qos(id).weight()).isEqualTo(7);
  }

  @Test
  void snapshotHasNoLimitAndItsCloneHasThatOfTheVolume() {
    VolumeId id = volume(slow);
    VolumeId snapshot = plane.snapshot(id);

    assertThat(enforced(snapshot)).isEqualTo(Limits.NONE);
    assertThat(enforced(clone(snapshot, null))).isEqualTo(SLOW);
    assertThat(enforced(clone(id, null))).isEqualTo(SLOW);
    assertThat(enforced(clone(snapshot, offer("free", Limits.NONE)))).isEqualTo(Limits.NONE);
    assertThat(enforced(clone(snapshot, offer("fast", new Limits(9000, 0)))))
        .isEqualTo(new Limits(9000, 0));
  }

  @Test
  void limitsOfALostRowAreReadFromThePool() {
    VolumeId id = volume(slow);

    assertThat(PoolAttributes.requirements(plane.engine.find(id).orElseThrow()).limits())
        .isEqualTo(SLOW);
  }

  private OfferedProfile offer(String name, Limits limits) {
    return plane.profiles.create(
        new ProfileDraft(name, "", new Requirements(null, null, null, limits), Set.of()), "admin");
  }

  private VolumeId volume(OfferedProfile profile) {
    return made(
        plane.volumes.create(
            new NewVolume(
                container.id(),
                VolumeType.DATA,
                VolumeOrigin.HOST,
                profile.asStorageProfile(),
                GIB,
                Map.of("VMW_VVolName", "disk"))));
  }

  private VolumeId clone(VolumeId source, @Nullable OfferedProfile profile) {
    return made(
        plane.clones.fastClone(
            new Clones.NewClone(
                source,
                null,
                VolumeOrigin.HOST,
                profile == null ? null : profile.asStorageProfile(),
                Map.of())));
  }

  private LimitAttributes qos(VolumeId id) {
    return LimitAttributes.of(plane.engine.find(id).orElseThrow().attributes());
  }

  private Limits enforced(VolumeId id) {
    return qos(id).limits();
  }

  private Compliance compliance(VolumeId id) {
    return plane.policies.compliance(id, null, null).orElseThrow();
  }
}

package io.coppice.vasa.soap.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.policy.PointDemand;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.soap.translate.ArrayIdentity;
import io.coppice.vasa.soap.translate.TaskMapper;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.wsdl.capability.CapabilityInstance;
import io.coppice.wsdl.capability.CapabilityMetadata;
import io.coppice.wsdl.capability.types.DiscreteSet;
import io.coppice.wsdl.capability.types.TimeSpan;
import io.coppice.wsdl.compliance.ComplianceResult;
import io.coppice.wsdl.compliance.ComplianceSubject;
import io.coppice.wsdl.data.NameValuePair;
import io.coppice.wsdl.data.ObjectFactory;
import io.coppice.wsdl.profile.StorageProfile;
import io.coppice.wsdl.vvol.TaskInfo;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Capabilities of protection as vCenter sees them, and which of them a volume lacks.
class ProtectionCapabilitiesTest {

  private ControlPlane plane;
  private PolicyOperations policies;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    policies =
        new PolicyOperations(plane.profiles, plane.policies, plane.containers, mapper(plane));
  }

  private static TaskMapper mapper(ControlPlane plane) {
    return new TaskMapper(
        plane.volumes, plane.spaces, new ArrayIdentity(plane.engine), plane.tasks);
  }

  @Test
  void protectionIsOfferedAsCapabilities() {
    List<CapabilityMetadata> offered =
        policies
            .queryCapabilityMetadata(List.of("io.coppice.capability"))
            .getFirst()
            .getCapabilityMetadataPerCategory()
            .stream()
            .filter(category -> category.getCategory().equals("Protection"))
            .flatMap(category -> category.getCapabilityMetadata().stream())
            .toList();

    assertThat(offered)
        .extracting(one -> one.getCapabilityId().getId())
        .containsExactly(
            "snapshotInterval",
            "snapshotRetention",
            "recoveryPointAge",
            "recoveryPointsKept",
            "recoveryPointsLocked",
            "recoveryPointConsistency");
    var consistency = offered.getLast().getPropertyMetadata().getFirst().getAllowedValue();
    assertThat(consistency)
        .as("quiescing is not promised")
        .singleElement()
        .satisfies(
            values ->
                assertThat(((DiscreteSet) values).getValues())
                    .isEqualTo(List.of("CrashConsistent")));
  }

  @Test
  void volumeIsPlacedAndWhatItLacksIsReported() {
    String id = made(demanding());
    ComplianceSubject subject = new ComplianceSubject();
    subject.getObjectId().add(id);

    ComplianceResult result = policies.queryComplianceResult(List.of(subject)).getFirst();

    assertThat(result.getComplianceStatus()).isEqualTo("nonCompliant");
    assertThat(result.isProfileMismatch()).isFalse();
    assertThat(result.getViolatedPolicy())
        .singleElement()
        .satisfies(
            violated -> {
              assertThat(violated.getExpectedValue().getCapabilityId().getId())
                  .isEqualTo("recoveryPointAge");
              assertThat(span(violated.getExpectedValue())).isEqualTo("1 HOURS");
              assertThat(span(violated.getCurrentValue())).isEqualTo("0 SECONDS");
            });
  }

  private StorageProfile demanding() {
    Requirements hourly =
        new Requirements(
            null,
            null,
            null,
            Requirements.NONE.limits(),
            new PointDemand(Duration.ofHours(1), null, null));
    String profile =
        plane.profiles.create(new ProfileDraft("points", "", hourly, Set.of()), "ada").id();
    return policies.queryCapabilityProfile(List.of(profile)).getFirst();
  }

  private String made(StorageProfile profile) {
    NameValuePair name = new NameValuePair();
    name.setParameterName(new ObjectFactory().createNameValuePairParameterName("VMW_VVolName"));
    name.setParameterValue(new ObjectFactory().createNameValuePairParameterValue("disk"));
    TaskInfo task =
        new VolumeOperations(plane.volumes, plane.spaces, mapper(plane))
            .createVirtualVolume(
                plane.container("c1").id().toString(), "Data", profile, 1, List.of(name));
    assertThat(task.getTaskState()).isEqualTo("Success");
    return (String) task.getResult().getValue();
  }

  private static String span(CapabilityInstance capability) {
    Object value =
        capability.getConstraint().getFirst().getPropertyInstance().getFirst().getValue();
    return value instanceof TimeSpan span
        ? span.getValue() + " " + span.getUnit()
        : "no time span: " + value;
  }
}

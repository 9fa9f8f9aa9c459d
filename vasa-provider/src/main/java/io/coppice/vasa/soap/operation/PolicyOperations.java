package io.coppice.vasa.soap.operation;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.policy.Compliance;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.policy.Violation;
import io.coppice.vasa.soap.translate.CapabilitySchemas;
import io.coppice.vasa.soap.translate.ProfileMapper;
import io.coppice.vasa.soap.translate.TaskMapper;
import io.coppice.vasa.soap.value.Identifiers;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.policy.VolumePolicies;
import io.coppice.wsdl.capability.provider.CapabilitySchema;
import io.coppice.wsdl.compliance.ComplianceResult;
import io.coppice.wsdl.compliance.ComplianceSubject;
import io.coppice.wsdl.compliance.ObjectFactory;
import io.coppice.wsdl.compliance.PolicyStatus;
import io.coppice.wsdl.policy.ResourceAssociation;
import io.coppice.wsdl.profile.DefaultProfile;
import io.coppice.wsdl.profile.StorageProfile;
import io.coppice.wsdl.vvol.TaskInfo;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// VASA 2.0 operations on capabilities, profiles and compliance.
@Component
public final class PolicyOperations {

  private static final ObjectFactory COMPLIANCE = new ObjectFactory();

  private final Profiles profiles;
  private final VolumePolicies policies;
  private final Containers containers;
  private final TaskMapper tasks;

  PolicyOperations(
      Profiles profiles, VolumePolicies policies, Containers containers, TaskMapper tasks) {
    this.profiles = profiles;
    this.policies = policies;
    this.containers = containers;
    this.tasks = tasks;
  }

  public List<CapabilitySchema> queryCapabilityMetadata(@Nullable List<String> schemaId) {
    List<CapabilitySchema> all = CapabilitySchemas.all();
    if (schemaId == null || schemaId.isEmpty()) {
      return all;
    }
    return schemaId.stream()
        .distinct()
        .map(
            id ->
                all.stream()
                    .filter(schema -> schema.getSchemaId().equals(id))
                    .findFirst()
                    .orElseThrow(
                        () ->
                            VasaException.notFound(
                                "expected a capability schema, got the unknown id '%s'"
                                    .formatted(id))))
        .toList();
  }

  public List<StorageProfile> queryCapabilityProfile(@Nullable List<String> profileId) {
    List<io.coppice.vasa.policy.StorageProfile> asked =
        profileId == null || profileId.isEmpty()
            ? profiles.offered()
            : profiles.requireOffered(profileId.stream().distinct().toList());
    return asked.stream().map(ProfileMapper::bean).toList();
  }

  /// The profiles of resources, which are containers. An empty list asks for all.
  public List<ResourceAssociation> queryCapabilityProfileForResource(
      @Nullable List<String> resourceId) {
    List<UUID> asked =
        resourceId == null || resourceId.isEmpty()
            ? containers.list().stream().map(container -> container.id()).toList()
            : containers
                .require(resourceId.stream().distinct().map(Identifiers::container).toList())
                .stream()
                .map(container -> container.id())
                .toList();
    List<ResourceAssociation> associations = new ArrayList<>();
    profiles
        .offeredIn(asked)
        .forEach(
            (container, offered) -> {
              for (String profile : offered) {
                ResourceAssociation association = new ResourceAssociation();
                association.setProfileId(profile);
                association.setResourceId(container.toString());
                associations.add(association);
              }
            });
    return associations;
  }

  public List<DefaultProfile> queryDefaultProfileForStorageContainer(
      @Nullable String containerId, @Nullable List<String> entityType) {
    UUID container = containers.require(Identifiers.container(containerId)).id();
    List<String> types = entityType == null ? List.of() : entityType;
    types.forEach(VolumeType::parse);
    Map<String, DefaultProfile> byProfile = new LinkedHashMap<>();
    profiles
        .defaults(container)
        .forEach(
            (type, profile) -> {
              if (types.isEmpty() || types.contains(type)) {
                byProfile
                    .computeIfAbsent(
                        profile.id(), _ -> ProfileMapper.fill(new DefaultProfile(), profile))
                    .getEntityType()
                    .add(type);
              }
            });
    return List.copyOf(byProfile.values());
  }

  public List<ComplianceResult> queryComplianceResult(
      @Nullable List<ComplianceSubject> compliance) {
    if (compliance == null || compliance.isEmpty()) {
      throw VasaException.invalidArgument("expected at least one subject of compliance, got none");
    }
    List<VolumePolicies.Question> questions = new ArrayList<>();
    for (ComplianceSubject subject : compliance) {
      if (subject.getObjectId().isEmpty()) {
        throw VasaException.invalidArgument("expected an object in each subject, got none");
      }
      String profile = Xml.value(subject.getProfileId());
      for (String object : subject.getObjectId()) {
        questions.add(
            new VolumePolicies.Question(
                Identifiers.volume(object), profile, subject.getGenerationId()));
      }
    }
    return policies.compliance(questions).stream().map(PolicyOperations::result).toList();
  }

  private static ComplianceResult result(Compliance compliance) {
    ComplianceResult result = new ComplianceResult();
    result.setCheckTime(compliance.checked().atOffset(ZoneOffset.UTC));
    result.setComplianceStatus(compliance.status().text());
    result.setObjectId(Identifiers.text(compliance.volume()));
    result.setProfileId(COMPLIANCE.createComplianceResultProfileId(compliance.profile()));
    result.setProfileMismatch(compliance.mismatch());
    for (Violation violation : compliance.violations()) {
      PolicyStatus status = new PolicyStatus();
      status.setExpectedValue(ProfileMapper.bean(violation.expected()));
      status.setCurrentValue(ProfileMapper.bean(violation.current()));
      result.getViolatedPolicy().add(status);
    }
    return result;
  }

  /// Changes a profile. A malformed id names no volume, because InvalidArgument is not in the list.
  public TaskInfo updateStorageProfileForVirtualVolume(
      @Nullable String vvolId, @Nullable StorageProfile newStorageProfile) {
    VolumeId volume = Identifiers.existingVolume(vvolId);
    policies.requireReady(volume);
    if (newStorageProfile == null) {
      throw new VasaException(
          new Fault.InvalidProfile(), "expected a storage profile to apply, got none");
    }
    return tasks.info(policies.apply(volume, ProfileMapper.profile(newStorageProfile)));
  }
}

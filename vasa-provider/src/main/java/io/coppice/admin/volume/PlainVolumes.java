package io.coppice.admin.volume;

import io.coppice.admin.field.NameField;
import io.coppice.admin.job.Jobs;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.volume.NewPlainVolume;
import io.coppice.api.volume.VolumeChange;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.volume.Labels;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.copy.Clones;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.policy.VolumePolicies;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Volumes that administrators make, as clones or empty, and change. What can be known to be wrong
/// is refused before the first effect.
@Component
final class PlainVolumes {

  private final VirtualVolumes volumes;
  private final Clones clones;
  private final VolumePolicies policies;
  private final Profiles profiles;
  private final Containers containers;
  private final VolumeNames names;

  PlainVolumes(
      VirtualVolumes volumes,
      Clones clones,
      VolumePolicies policies,
      Profiles profiles,
      Containers containers,
      VolumeNames names) {
    this.volumes = volumes;
    this.clones = clones;
    this.policies = policies;
    this.profiles = profiles;
    this.containers = containers;
    this.names = names;
  }

  /// Makes a volume.
  ///
  /// @return the volume, in the pool
  VirtualVolume make(NewPlainVolume wanted) {
    String name = NameField.checked(wanted.name());
    Map<String, String> metadata = VolumeNames.metadata(name, wanted.labels());
    return wanted.source() == null
        ? makeEmpty(wanted, name, metadata)
        : makeClone(wanted.source(), wanted, name, metadata);
  }

  private VirtualVolume makeEmpty(
      NewPlainVolume wanted, String name, Map<String, String> metadata) {
    UUID container = RequestRejectedException.requireField("container", wanted.container());
    long size = RequestRejectedException.requireField("size", wanted.size());
    NewVolume volume =
        new NewVolume(
            container,
            VolumeType.OTHER,
            VolumeOrigin.ADMIN,
            policyOfNew(wanted.policy(), container),
            size,
            metadata);
    return made(() -> names.claim(container, name, () -> Jobs.madeBy(volumes.create(volume))));
  }

  private VirtualVolume makeClone(
      UUID sourceId, NewPlainVolume wanted, String name, Map<String, String> metadata) {
    VirtualVolume source =
        RequestRejectedException.about(
            "source", () -> volumes.requireReady(new VolumeId(sourceId)));
    requireDisk(source);
    UUID given = wanted.container();
    UUID container = given == null ? source.container() : given;
    StorageProfile policy = policyOfNew(wanted.policy(), container);
    Map<String, String> typed = new HashMap<>(metadata);
    typed.put(VmId.TYPE_KEY, VolumeType.OTHER.text());
    Clones.NewClone clone =
        new Clones.NewClone(
            source.id(),
            container,
            VolumeOrigin.ADMIN,
            policy,
            checkedSize(wanted.size(), source),
            typed);
    return made(
        () ->
            RequestRejectedException.about(
                "source",
                () -> names.claim(container, name, () -> Jobs.madeBy(clones.clone(clone)))));
  }

  private VirtualVolume made(Supplier<VolumeId> making) {
    return volumes.require(making.get());
  }

  private static void requireDisk(VirtualVolume source) {
    if (source.type() != VolumeType.DATA && source.type() != VolumeType.OTHER) {
      throw RequestRejectedException.conflict(
          "not-a-disk",
          "source",
          "expected a source of type Data or Other, but %s is of type %s"
              .formatted(source.id(), source.type().text()));
    }
  }

  /// A size that a volume already has needs no check.
  private static @Nullable Long checkedSize(@Nullable Long size, VirtualVolume before) {
    if (size != null && size != before.sizeInBytes()) {
      VirtualVolumes.checkSize(size, VolumeOrigin.ADMIN);
    }
    return size;
  }

  private @Nullable StorageProfile policyOfNew(@Nullable UUID id, UUID container) {
    RequestRejectedException.about("container", () -> containers.require(container));
    StorageProfile policy = policy(id);
    if (policy != null) {
      RequestRejectedException.about(
          "policy", () -> profiles.forNewVolume(container, VolumeType.OTHER.text(), policy));
    }
    return policy;
  }

  private @Nullable StorageProfile policy(@Nullable UUID id) {
    return id == null
        ? null
        : RequestRejectedException.about("policy", () -> profiles.requireOffered(id.toString()));
  }

  /// Grows a volume, then gives it the policy, then the name and the labels, which are one record.
  ///
  /// Only the space for the policy and the pool itself can refuse a step after an earlier one had
  /// its effect, which then stays.
  void change(VirtualVolume volume, VolumeChange wanted) {
    StorageProfile policy = policy(wanted.policy());
    if (policy != null) {
      RequestRejectedException.about(
          "policy",
          () -> {
            policies.requireApplicable(volume, policy);
            return policy;
          });
    }
    if (wanted.name() == null && wanted.labels() == null) {
      growAndApply(volume, wanted.size(), policy);
    } else {
      String name = wanted.name() == null ? null : NameField.checked(wanted.name());
      names.whileKept(volume, name, () -> changeAll(volume.id(), wanted, name, policy));
    }
  }

  private void changeAll(
      VolumeId id, VolumeChange wanted, @Nullable String name, @Nullable StorageProfile policy) {
    VirtualVolume volume = volumes.require(id);
    Map<String, String> put = new HashMap<>();
    Set<String> removed = new HashSet<>();
    if (wanted.labels() != null) {
      Labels.Change change = Labels.merge(wanted.labels(), volume.metadata());
      put.putAll(change.put());
      removed.addAll(change.removed());
    }
    if (name != null) {
      put.put(VmId.NAME_KEY, name);
    }
    growAndApply(volume, wanted.size(), policy);
    volumes.updateMetadata(id, put, removed);
  }

  private void growAndApply(
      VirtualVolume volume, @Nullable Long size, @Nullable StorageProfile policy) {
    if (size != null && size != volume.sizeInBytes()) {
      RequestRejectedException.about("size", () -> volumes.resize(volume.id(), size));
    }
    if (policy != null) {
      RequestRejectedException.about("policy", () -> policies.apply(volume.id(), policy));
    }
  }
}

package io.coppice.vasa.soap.operation;

import io.coppice.vasa.container.Containers;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.soap.translate.ArrayIdentity;
import io.coppice.vasa.soap.value.Identifiers;
import io.coppice.vasa.soap.value.Megabytes;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.vasa.volume.space.ContainerSpace;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.coppice.wsdl.data.ObjectFactory;
import io.coppice.wsdl.data.StorageContainer;
import io.coppice.wsdl.vvol.ContainerSpaceStats;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// VASA 2.0 operations on storage containers.
@Component
public final class ContainerOperations {

  private static final ObjectFactory DATA = new ObjectFactory();

  /// Longest user id, in characters.
  private static final int LONGEST_USER = 255;

  private final Containers containers;
  private final SpaceStatistics spaces;
  private final Profiles profiles;
  private final ArrayIdentity array;

  ContainerOperations(
      Containers containers, SpaceStatistics spaces, Profiles profiles, ArrayIdentity array) {
    this.containers = containers;
    this.spaces = spaces;
    this.profiles = profiles;
    this.array = array;
  }

  /// All containers, or the existing ones of the ids.
  public List<StorageContainer> queryStorageContainer(@Nullable List<String> containerId) {
    if (containerId == null || containerId.isEmpty()) {
      return containers.list().stream().map(ContainerOperations::container).toList();
    }
    List<UUID> asked =
        containerId.stream()
            .distinct()
            .map(Identifiers::wellFormedContainer)
            .flatMap(Optional::stream)
            .toList();
    return containers.find(asked).stream().map(ContainerOperations::container).toList();
  }

  public List<String> queryStorageContainerForArray(@Nullable String arrayId) {
    array.check(arrayId);
    return containers.list().stream().map(container -> container.id().toString()).toList();
  }

  /// One entry for the container, or one for each profile.
  public List<ContainerSpaceStats> spaceStatsForStorageContainer(
      @Nullable String containerId, @Nullable List<String> capabilityProfileId) {
    UUID container = Identifiers.container(containerId);
    if (capabilityProfileId == null || capabilityProfileId.isEmpty()) {
      return List.of(stats(container.toString(), spaces.ofContainer(container)));
    }
    containers.require(container);
    profiles.requireOffered(capabilityProfileId);
    Map<String, ContainerSpace> used = spaces.ofProfiles(container, capabilityProfileId);
    return capabilityProfileId.stream()
        .map(profile -> stats(profile, Objects.requireNonNull(used.get(profile))))
        .toList();
  }

  /// A cookie for a container and a user of it, the same one each time. It grants nothing: the
  /// client certificate and its session decide every permission, with a cookie or without one.
  public String setStorageContainerContext(@Nullable String containerId, @Nullable String userId) {
    UUID container = containers.require(Identifiers.container(containerId)).id();
    String user = Xml.required(userId, "userId");
    if (user.length() > LONGEST_USER) {
      throw VasaException.invalidArgument(
          "expected a userId of at most %d characters, got %d"
              .formatted(LONGEST_USER, user.length()));
    }
    byte[] named = (container + "/" + user).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(named).toString();
  }

  private static StorageContainer container(io.coppice.vasa.container.StorageContainer container) {
    StorageContainer bean = new StorageContainer();
    bean.setUniqueIdentifier(
        DATA.createBaseStorageEntityUniqueIdentifier(container.id().toString()));
    bean.setName(container.name());
    bean.setMaxVvolSizeMB(Megabytes.floor(Containers.MAX_VOLUME_SIZE_IN_BYTES));
    bean.setProtocolEndPointType(DATA.createStorageContainerProtocolEndPointType("SCSI"));
    return bean;
  }

  private static ContainerSpaceStats stats(String objectId, ContainerSpace space) {
    ContainerSpaceStats stats = new ContainerSpaceStats();
    stats.setObjectId(objectId);
    stats.setLogicalLimit(Megabytes.floor(space.limit()));
    stats.setLogicalUsed(Megabytes.ceiling(space.used()));
    stats.setLogicalFree(Megabytes.floor(space.free()));
    stats.setPhysicalTotal(Megabytes.floor(space.physicalTotal()));
    stats.setPhysicalUsed(Megabytes.ceiling(space.physicalUsed()));
    stats.setPhysicalFree(Megabytes.floor(space.physicalFree()));
    return stats;
  }
}

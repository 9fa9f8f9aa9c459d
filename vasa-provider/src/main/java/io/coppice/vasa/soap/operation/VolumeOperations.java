package io.coppice.vasa.soap.operation;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.soap.fault.Batches;
import io.coppice.vasa.soap.translate.ProfileMapper;
import io.coppice.vasa.soap.translate.TaskMapper;
import io.coppice.vasa.soap.translate.VolumeMapper;
import io.coppice.vasa.soap.value.Identifiers;
import io.coppice.vasa.soap.value.Megabytes;
import io.coppice.vasa.soap.value.Metadata;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.coppice.wsdl.data.NameValuePair;
import io.coppice.wsdl.profile.StorageProfile;
import io.coppice.wsdl.service.DeleteVirtualVolume;
import io.coppice.wsdl.service.UpdateVirtualVolumeMetaData;
import io.coppice.wsdl.vvol.QueryConstraint;
import io.coppice.wsdl.vvol.SpaceStats;
import io.coppice.wsdl.vvol.TaskInfo;
import io.coppice.wsdl.vvol.VirtualVolumeInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// VASA 2.0 operations on the life cycle and the metadata of virtual volumes.
@Component
public final class VolumeOperations {

  private final VirtualVolumes volumes;
  private final SpaceStatistics spaces;
  private final TaskMapper tasks;

  VolumeOperations(VirtualVolumes volumes, SpaceStatistics spaces, TaskMapper tasks) {
    this.volumes = volumes;
    this.spaces = spaces;
    this.tasks = tasks;
  }

  public TaskInfo createVirtualVolume(
      @Nullable String containerId,
      @Nullable String vvolType,
      @Nullable StorageProfile storageProfile,
      long sizeInMB,
      @Nullable List<NameValuePair> metadata) {
    if (vvolType == null) {
      throw VasaException.invalidArgument("expected a virtual volume type, got none");
    }
    NewVolume wanted =
        new NewVolume(
            Identifiers.container(containerId),
            VolumeType.parse(vvolType),
            VolumeOrigin.HOST,
            storageProfile == null ? null : ProfileMapper.profile(storageProfile),
            Megabytes.toBytes(sizeInMB),
            Metadata.required(metadata).put());
    return tasks.info(volumes.create(wanted));
  }

  public void deleteVirtualVolume(DeleteVirtualVolume parameters) {
    volumes.delete(Identifiers.volume(parameters.getVvolId()));
  }

  public TaskInfo resizeVirtualVolume(@Nullable String vvolId, long sizeInMB) {
    return tasks.info(volumes.resize(Identifiers.volume(vvolId), Megabytes.toBytes(sizeInMB)));
  }

  public List<String> queryVirtualVolume(@Nullable List<QueryConstraint> searchConstraint) {
    Map<String, Optional<String>> pairs = new LinkedHashMap<>();
    for (QueryConstraint constraint :
        searchConstraint == null ? List.<QueryConstraint>of() : searchConstraint) {
      if (constraint.getKey() == null || constraint.getKey().isEmpty()) {
        throw VasaException.invalidArgument("expected a key in each search constraint, got none");
      }
      Optional<String> value = Optional.ofNullable(Xml.value(constraint.getValue()));
      Optional<String> earlier = pairs.getOrDefault(constraint.getKey(), Optional.empty());
      if (earlier.isPresent() && value.isPresent() && !earlier.equals(value)) {
        return List.of(); // no pair has two values
      }
      pairs.put(constraint.getKey(), value.or(() -> earlier));
    }
    return volumes.search(pairs).stream().map(Identifiers::text).toList();
  }

  /// The volumes of the ids. Unknown ids are left out.
  public List<VirtualVolumeInfo> queryVirtualVolumeInfo(@Nullable List<String> vvolId) {
    return volumes.find(known(vvolId)).stream().map(VolumeMapper::info).toList();
  }

  public void updateVirtualVolumeMetaData(UpdateVirtualVolumeMetaData parameters) {
    VolumeId volume = Identifiers.volume(parameters.getVvolId());
    Metadata metadata = Metadata.required(parameters.getKeyValuePair());
    volumes.updateMetadata(volume, metadata.put(), metadata.remove());
  }

  /// The space of the volumes. Unknown ids are left out.
  public List<SpaceStats> spaceStatsForVirtualVolume(@Nullable List<String> vvolId) {
    return spaces.ofVolumes(known(vvolId)).stream().map(VolumeMapper::stats).toList();
  }

  private static List<VolumeId> known(@Nullable List<String> ids) {
    return Batches.limited(ids, "virtual volume id").stream()
        .map(Identifiers::wellFormedVolume)
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }
}

package io.coppice.vasa.replication.group;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.replication.Replica;
import io.coppice.replication.replica.ReplicaCatalog;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.replication.ReplicatedDevice;
import io.coppice.vasa.volume.store.PoolAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The devices of groups: each volume with what it is at both ends.
final class GroupDevices {

  private final GroupMembers members;
  private final ReplicaVolumes volumes;
  private final ReplicaCatalog catalog;

  GroupDevices(GroupMembers members, ReplicaVolumes volumes, ReplicaCatalog catalog) {
    this.members = members;
    this.volumes = volumes;
    this.catalog = catalog;
  }

  /// Those of a group now, in order of their members. A target that has no replica yet has none.
  List<ReplicatedDevice> of(ReplicatedGroup group) {
    return switch (group.state()) {
      case SOURCE, REMOTE_FAILEDOVER -> ofSource(group, members.of(group.plan()));
      case PREPARED -> ofSource(group, members.held(group));
      case TARGET ->
          catalog.of(group.id()).stream().findFirst().map(one -> of(group, one)).orElse(List.of());
      case INTEST, FAILEDOVER -> ofShown(group);
    };
  }

  private static List<ReplicatedDevice> ofSource(ReplicatedGroup group, List<VolumeInfo> infos) {
    return sorted(
        infos.stream()
            .map(
                info ->
                    new ReplicatedDevice(
                        GroupMembers.memberOf(group.id(), info),
                        info.id(),
                        info.id(),
                        PoolAttributes.container(info)))
            .toList());
  }

  /// Those of a replica that is not shown.
  List<ReplicatedDevice> of(ReplicatedGroup group, Replica replica) {
    List<ReplicatedDevice> devices = new ArrayList<>();
    replica
        .snapshots()
        .forEach(
            (member, snapshot) ->
                devices.add(
                    new ReplicatedDevice(
                        member,
                        volumes.source(member, snapshot),
                        null,
                        volumes
                            .landing(group, member, snapshot)
                            .map(StorageContainer::id)
                            .orElse(null))));
    return sorted(devices);
  }

  private List<ReplicatedDevice> ofShown(ReplicatedGroup group) {
    Optional<Replica> replica =
        Optional.ofNullable(group.replica()).flatMap(cycle -> catalog.find(group.id(), cycle));
    return sorted(
        members.held(group).stream()
            .map(
                info -> {
                  UUID member = GroupMembers.memberOf(group.id(), info);
                  @Nullable VolumeId snapshot =
                      replica.map(one -> one.snapshots().get(member)).orElse(null);
                  return new ReplicatedDevice(
                      member,
                      snapshot == null ? new VolumeId(member) : volumes.source(member, snapshot),
                      info.id(),
                      PoolAttributes.container(info));
                })
            .toList());
  }

  private static List<ReplicatedDevice> sorted(List<ReplicatedDevice> devices) {
    return devices.stream().sorted(Comparator.comparing(ReplicatedDevice::member)).toList();
  }
}

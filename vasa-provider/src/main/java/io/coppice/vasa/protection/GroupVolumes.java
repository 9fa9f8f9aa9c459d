package io.coppice.vasa.protection;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.VirtualMachineVolume;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.store.VolumeStore;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The volumes that the members of a group have now.
final class GroupVolumes {

  private final VolumeStore store;

  GroupVolumes(VolumeStore store) {
    this.store = store;
  }

  /// @throws VasaException (NotFound) if a member is unknown; (NotSupported) if it is a snapshot
  void require(List<ProtectedMember> members) {
    for (ProtectedMember member : members) {
      switch (member) {
        case ProtectedMember.Machine(String id) -> {
          if (store.lists().ofMachines(List.of(id)).isEmpty()) {
            throw VasaException.notFound("there is no virtual machine " + id).about("members");
          }
        }
        case ProtectedMember.Volume(VolumeId id) -> store.requireWritable(id);
      }
    }
  }

  /// The volumes to take, those of machines first. A member that is gone has none.
  ///
  /// @throws VasaException (NotSupported) if they are more than one cut has
  List<VolumeId> of(List<ProtectedMember> members) {
    return atMostOneCut(all(members));
  }

  /// As [#of], however many they are.
  List<VolumeId> all(List<ProtectedMember> members) {
    Set<VolumeId> volumes = new LinkedHashSet<>();
    List<String> machines =
        members.stream()
            .filter(ProtectedMember.Machine.class::isInstance)
            .map(member -> ((ProtectedMember.Machine) member).id())
            .toList();
    store.lists().ofMachines(machines).stream()
        .filter(one -> one.type() != VolumeType.SWAP && one.type() != VolumeType.MEMORY)
        .map(VirtualMachineVolume::id)
        .forEach(volumes::add);
    for (ProtectedMember member : members) {
      if (member instanceof ProtectedMember.Volume(VolumeId id)) {
        volumes.add(id);
      }
    }
    return List.copyOf(store.rows().ready(volumes));
  }

  private static List<VolumeId> atMostOneCut(List<VolumeId> there) {
    if (there.size() > StorageEngine.MAX_GROUP) {
      throw new VasaException(
          new Fault.NotSupported(),
          "expected at most %d volumes in one group, got %d"
              .formatted(StorageEngine.MAX_GROUP, there.size()));
    }
    return there;
  }
}

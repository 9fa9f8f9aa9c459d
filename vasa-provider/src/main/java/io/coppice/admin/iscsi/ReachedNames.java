package io.coppice.admin.iscsi;

import io.coppice.admin.volume.VmId;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.volume.VirtualMachineVolume;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The names of volumes that hosts reach, and of their virtual machines, as rows of the database
/// have them.
record ReachedNames(VirtualVolumes volumes) {

  /// The names of those that have one, by volume.
  Map<VolumeId, String> of(Set<VolumeId> some) {
    return volumes.valuesOf(VmId.NAME_KEY, some);
  }

  /// The machines that volumes were stored for, by volume.
  Map<VolumeId, String> machines(Set<VolumeId> some) {
    Map<VolumeId, String> machines = volumes.valuesOf(VmId.KEY, some);
    machines.values().removeIf(String::isBlank);
    return machines;
  }

  /// The names of machines: those of their config vVols.
  Map<String, String> ofMachines(Collection<String> machines) {
    Map<String, String> names = new HashMap<>();
    for (VirtualMachineVolume volume : volumes.ofMachines(Set.copyOf(machines))) {
      String name = volume.name();
      if (volume.type() == VolumeType.CONFIG && name != null && !volume.machine().isBlank()) {
        names.put(volume.machine(), name);
      }
    }
    return names;
  }
}

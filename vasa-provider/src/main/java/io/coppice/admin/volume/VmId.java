package io.coppice.admin.volume;

import io.coppice.vasa.volume.VirtualMachineVolume;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The virtual machine that a host stored a virtual volume for.
public final class VmId {

  /// Metadata with the virtual machine's id.
  public static final String KEY = "VMW_VmID";

  /// Metadata with the virtual volume's type.
  static final String TYPE_KEY = "VMW_VVolType";

  /// Metadata with the virtual volume's name.
  public static final String NAME_KEY = VolumeChoice.NAME_KEY;

  private VmId() {}

  /// The vVols of a virtual machine, in order of creation, without snapshots; none if the machine
  /// is unknown.
  public static List<VirtualVolume> vvols(VirtualVolumes volumes, String id) {
    if (id.isBlank()) {
      return List.of();
    }
    return volumes.find(volumes.search(Map.of(KEY, Optional.of(id)))).stream()
        .filter(VvolController::isVvol)
        .toList();
  }

  /// Those of a machine's vVols that are of use later: all but swap and memory.
  static List<VirtualVolume> lasting(List<VirtualVolume> own) {
    return own.stream()
        .filter(one -> one.type() != VolumeType.SWAP && one.type() != VolumeType.MEMORY)
        .toList();
  }

  /// The one of a machine's vVols whose name and container are those of the machine: its config
  /// vVol, or else its first one.
  ///
  /// @param own at least one
  public static VirtualMachineVolume main(List<VirtualMachineVolume> own) {
    return own.stream()
        .filter(volume -> volume.type() == VolumeType.CONFIG)
        .findFirst()
        .orElse(own.getFirst());
  }

  static @Nullable String nameOf(VirtualVolume volume) {
    return volume.metadata().get(NAME_KEY);
  }

  static Optional<String> of(VirtualVolume volume) {
    return Optional.ofNullable(volume.metadata().get(KEY)).filter(id -> !id.isBlank());
  }
}

package io.coppice.admin;

import io.coppice.vasa.volume.VirtualVolume;
import java.util.Optional;

/// The virtual machine that a host stored a virtual volume for.
final class VmId {

  /// Metadata with the virtual machine's id.
  static final String KEY = "VMW_VmID";

  /// Metadata with the virtual volume's name.
  static final String NAME_KEY = "VMW_VVolName";

  private VmId() {}

  static Optional<String> of(VirtualVolume volume) {
    return Optional.ofNullable(volume.metadata().get(KEY)).filter(id -> !id.isBlank());
  }
}

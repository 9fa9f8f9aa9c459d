package io.coppice.scsi;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.page.NetworkAddress;
import java.util.Optional;

/// What an initiator may copy from and to: the volumes bound for its host and those exported to it,
/// whichever target it speaks to, and nothing else.
final class CopyScope {

  private final Units units;
  private final DirectoryState state;

  CopyScope(Units units, DirectoryState state) {
    this.units = units;
    this.state = state;
  }

  Optional<VolumeUnit> find(InitiatorPort port, NetworkAddress naa) {
    return units.named(naa).filter(unit -> reaches(port, unit));
  }

  /// Whether the initiator may still touch the unit.
  boolean reaches(InitiatorPort port, VolumeUnit unit) {
    VolumeId volume = unit.volume().id();
    return state.bindsFor(port.name(), volume) || state.exportsTo(port.name(), volume);
  }
}

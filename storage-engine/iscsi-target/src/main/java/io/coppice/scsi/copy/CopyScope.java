package io.coppice.scsi.copy;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.pool.DirectoryState;
import io.coppice.scsi.page.NetworkAddress;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.unit.Units;
import io.coppice.scsi.unit.VolumeUnit;
import java.util.Optional;

/// The volumes that an initiator may copy from and to: those bound for its host and those exported
/// to it, whichever target it speaks to, and no others.
public final class CopyScope {

  private final Units units;
  private final DirectoryState state;

  public CopyScope(Units units, DirectoryState state) {
    this.units = units;
    this.state = state;
  }

  Optional<VolumeUnit> find(InitiatorPort port, NetworkAddress naa) {
    return units.named(naa).filter(unit -> reaches(port, unit));
  }

  /// Whether the initiator may touch the unit now.
  public boolean reaches(InitiatorPort port, VolumeUnit unit) {
    VolumeId volume = unit.volume().id();
    return !unit.isSuspended()
        && (state.bindsFor(port.name(), volume) || state.exportsTo(port.name(), volume));
  }
}

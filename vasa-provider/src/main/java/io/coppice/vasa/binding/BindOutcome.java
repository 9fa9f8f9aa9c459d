package io.coppice.vasa.binding;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.VirtualVolume;

/// The outcome of one item of a bind.
public sealed interface BindOutcome {

  VolumeId id();

  /// The volume is bound, in the pool and in its row.
  record Bound(VirtualVolume volume, Binding binding) implements BindOutcome {
    @Override
    public VolumeId id() {
      return volume.id();
    }
  }

  /// The volume is not bound by this call.
  record Refused(VolumeId id, VasaException why) implements BindOutcome {}
}

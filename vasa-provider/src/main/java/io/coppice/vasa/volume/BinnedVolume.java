package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;

/// A volume or snapshot in the recycle bin.
public record BinnedVolume(VirtualVolume volume, Binning binning) {

  public VolumeId id() {
    return volume.id();
  }
}

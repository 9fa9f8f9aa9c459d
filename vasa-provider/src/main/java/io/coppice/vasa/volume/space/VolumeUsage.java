package io.coppice.vasa.volume.space;

import io.coppice.engine.VolumeId;

/// Space of one virtual volume, in bytes (VASA 2.0 SpaceStats).
///
/// | Component | Meaning |
/// |---|---|
/// | `logical` | its size |
/// | `committed` | stored for it, shared or not, and set aside for it |
/// | `unshared` | the part of it that no other volume shares |
public record VolumeUsage(VolumeId volume, long logical, long committed, long unshared) {}

package io.coppice.vasa.protection.continuous;

import io.coppice.engine.VolumeId;

/// A volume that a continuous rule wants to protect, but that cannot have its journal.
///
/// @param reason such as that it is reserved
public record RefusedVolume(VolumeId volume, String reason) {}

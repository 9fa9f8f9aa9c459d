package io.coppice.api.volume;

import org.jspecify.annotations.Nullable;

/// A change of a plain volume.
///
/// @param size in bytes, at least as now; null to leave it
/// @param name null to leave it
public record VolumeChange(@Nullable Long size, @Nullable String name) {}

package io.coppice.api.volume;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A change of a plain volume.
///
/// @param size in bytes, at least as now; null to leave it
/// @param name null to leave it
/// @param policy id of a policy; null to leave it
/// @param labels to set, or to remove where the value is null; others stay
public record VolumeChange(
    @Nullable Long size,
    @Nullable String name,
    @Nullable UUID policy,
    @Nullable Map<String, @Nullable String> labels) {}

package io.coppice.api.volume;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A plain volume as a client asks for it.
///
/// @param source what it is a clone of; null for an empty volume
/// @param size in bytes; null for the source's
/// @param container null for the source's
/// @param policy id of a policy; null for the source's, or the default of the container
/// @param labels null for none
public record NewPlainVolume(
    @Nullable String name,
    @Nullable UUID source,
    @Nullable Long size,
    @Nullable UUID container,
    @Nullable UUID policy,
    @Nullable Map<String, @Nullable String> labels) {}

package io.coppice.api.volume;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A plain volume as a client asks for it.
///
/// @param policy id of a policy; null for none
public record NewPlainVolume(
    @Nullable String name, @Nullable Long size, @Nullable UUID container, @Nullable UUID policy) {}

package io.coppice.api.volume;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A group of snapshots as a client asks for it.
///
/// @param name of each snapshot
/// @param volumes vVols or plain volumes, 1 to 256, each once
/// @param labels of each snapshot; null for none
public record NewGroup(
    @Nullable String name,
    @Nullable List<@Nullable UUID> volumes,
    @Nullable Map<String, @Nullable String> labels) {}

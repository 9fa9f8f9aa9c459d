package io.coppice.api.volume;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume or snapshot that would have to go.
///
/// @param kind `volume` or `snapshot`
/// @param vvol the id of what a snapshot was taken of
/// @param total what its deletion and those before it give back together, in bytes
public record ReclaimStep(
    UUID id,
    String kind,
    @Nullable String name,
    @Nullable UUID vvol,
    UUID container,
    Instant created,
    long total) {}

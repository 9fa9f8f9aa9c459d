package io.coppice.api.volume;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume that was used in the same time.
///
/// @param vvol null if the token does not see it
/// @param name null if it has none, or the token does not see it
/// @param vm the virtual machine that it belongs to; null if none, or the token does not see it
/// @param commandsPercent its part of the commands to all volumes
/// @param bytesPercent its part of their bytes
public record BusyNeighbour(
    @Nullable UUID vvol,
    @Nullable String name,
    @Nullable String vm,
    int commandsPercent,
    int bytesPercent) {}

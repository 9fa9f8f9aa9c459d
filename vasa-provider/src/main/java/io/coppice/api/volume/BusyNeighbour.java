package io.coppice.api.volume;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume that was used in the same time.
///
/// @param vvol null if the token does not see it
/// @param name null if it has none, or the token does not see it
/// @param vm the virtual machine that it belongs to; null if none, or the token does not see it
/// @param commandsShare its part of the commands to all volumes, 0 to 1
/// @param bytesShare its part of their bytes, 0 to 1
public record BusyNeighbour(
    @Nullable UUID vvol,
    @Nullable String name,
    @Nullable String vm,
    double commandsShare,
    double bytesShare) {}

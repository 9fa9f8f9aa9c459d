package io.coppice.api.volume;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A virtual machine, as its vVols tell.
///
/// @param name that of its config vVol
/// @param container that of its config vVol
/// @param used bytes stored for its vVols, shared or not, and set aside for them
public record Vm(
    String id,
    @Nullable String name,
    UUID container,
    List<UUID> vvols,
    long provisioned,
    long used) {}

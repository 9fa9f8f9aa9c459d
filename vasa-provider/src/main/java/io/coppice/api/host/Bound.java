package io.coppice.api.host;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A binding.
///
/// @param count binds that are not taken back yet
/// @param leaving the endpoint that it moved from and that the host has not left yet; null if there
///   is none
public record Bound(
    String host,
    UUID vvol,
    int protocolEndpoint,
    String secondaryId,
    int count,
    @Nullable Integer leaving) {}

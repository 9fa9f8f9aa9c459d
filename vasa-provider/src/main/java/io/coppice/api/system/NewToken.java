package io.coppice.api.system;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A token as a client asks for it.
///
/// @param containers ids of storage containers, demanded with the role `volume-admin` and with no
///   other
public record NewToken(
    @Nullable String name,
    @Nullable String role,
    @Nullable List<UUID> containers,
    @Nullable Integer expiresInDays) {}

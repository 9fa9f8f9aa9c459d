package io.coppice.api.system;

import org.jspecify.annotations.Nullable;

/// A token as a client asks for it.
public record NewToken(
    @Nullable String name, @Nullable String role, @Nullable Integer expiresInDays) {}

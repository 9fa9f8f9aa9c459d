package io.coppice.api.system;

import io.coppice.api.Role;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A token with its text, which is told once.
///
/// A token with its text, which is shown this once.
///
/// @param containers as in [Token]
public record IssuedToken(
    UUID id,
    String name,
    Role role,
    @Nullable List<UUID> containers,
    Instant created,
    Instant expires,
    String token) {}

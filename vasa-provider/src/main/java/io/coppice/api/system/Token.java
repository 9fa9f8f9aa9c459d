package io.coppice.api.system;

import io.coppice.api.Role;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A token, without its text.
///
/// A token without its text.
///
/// @param containers ids of the storage containers that a `volume-admin` is bound to, without those
///   that are gone; null for other roles
public record Token(
    UUID id,
    String name,
    Role role,
    @Nullable List<UUID> containers,
    Instant created,
    Instant expires) {}

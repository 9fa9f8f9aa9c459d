package io.coppice.api.account;

import io.coppice.api.Role;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An account of a person.
///
/// @param containers ids of the storage containers that a `volume-admin` is bound to, without those
///   that are gone; null for other roles
/// @param enabled whether it can log in
/// @param lastLogin null if nobody has logged in yet
public record UserAccount(
    UUID id,
    String name,
    Role role,
    @Nullable List<UUID> containers,
    boolean enabled,
    Instant created,
    Instant passwordSet,
    @Nullable Instant lastLogin) {}

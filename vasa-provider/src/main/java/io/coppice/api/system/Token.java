package io.coppice.api.system;

import io.coppice.api.Role;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A token without its text.
///
/// @param containers ids of the storage containers that a `volume-admin` is bound to, without those
///   that are gone; null for other roles
/// @param beginning the first characters of its text; null if it is older than version 0.2
/// @param used when it was used last, to a minute; null if it was not
/// @param formerUntil until when the text before the last rotation counts; null if there is none
/// @param owner id of the account that made it for itself; null if an administrator made it
public record Token(
    UUID id,
    String name,
    Role role,
    @Nullable List<UUID> containers,
    Instant created,
    Instant expires,
    @Nullable String beginning,
    @Nullable Instant used,
    @Nullable Instant formerUntil,
    @Nullable UUID owner) {}

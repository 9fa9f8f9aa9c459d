package io.coppice.api.system;

import io.coppice.api.Role;
import java.time.Instant;
import java.util.UUID;

/// A token with its text, which is told once.
///
/// A token with its text, which is shown this once.
public record IssuedToken(
    UUID id, String name, Role role, Instant created, Instant expires, String token) {}

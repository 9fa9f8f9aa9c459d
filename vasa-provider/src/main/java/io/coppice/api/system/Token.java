package io.coppice.api.system;

import io.coppice.api.Role;
import java.time.Instant;
import java.util.UUID;

/// A token, without its text.
///
/// A token without its text.
public record Token(UUID id, String name, Role role, Instant created, Instant expires) {}

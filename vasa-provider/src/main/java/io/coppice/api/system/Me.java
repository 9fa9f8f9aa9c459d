package io.coppice.api.system;

import io.coppice.api.Role;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The token of the request.
///
/// @param token id of the token; zeros for the one in the home
/// @param name the token's name
/// @param containers ids of the storage containers that it is bound to; null if to none
public record Me(UUID token, String name, Role role, @Nullable List<UUID> containers) {}

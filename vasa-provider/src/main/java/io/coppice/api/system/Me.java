package io.coppice.api.system;

import io.coppice.api.Role;
import java.util.UUID;

/// The token of the request.
///
/// @param token id of the token; zeros for the one in the home
/// @param name the token's name
public record Me(UUID token, String name, Role role) {}

package io.coppice.api.system;

import io.coppice.api.Role;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The caller of the request.
///
/// @param token id of the token, zeros for the one in the home; id of the account for a session
/// @param name of the token or the account
/// @param containers ids of the storage containers that it is bound to; null if to none
/// @param login how the caller was authenticated: `token`, or the source of a session
/// @param sessionEnds when the session ends, unless it is used until then; null for a token
public record Me(
    UUID token,
    String name,
    Role role,
    @Nullable List<UUID> containers,
    String login,
    @Nullable Instant sessionEnds) {}

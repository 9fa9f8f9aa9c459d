package io.coppice.api.account;

import io.coppice.api.Role;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The session that a request came with or opened.
///
/// @param containers as in [UserAccount]
/// @param source that vouched for the person
/// @param ends when it ends, unless it is used until then
/// @param endsAtLatest when it ends however it is used
/// @param csrf value of the header `X-Coppice-CSRF`
public record OwnSession(
    UUID id,
    String name,
    Role role,
    @Nullable List<UUID> containers,
    String source,
    Instant ends,
    Instant endsAtLatest,
    String csrf) {}

package io.coppice.api.replication;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A pool that this one is paired with.
///
/// @param id of the pool
/// @param address host and port of its links
/// @param certificateExpires when this pool's certificate for links with it ends; null if its keys
///   cannot be read
/// @param obstacle why there are no links with it; null if its keys can be read
public record PeerPool(
    UUID id,
    String name,
    String address,
    Instant paired,
    @Nullable Instant certificateExpires,
    @Nullable String obstacle) {}

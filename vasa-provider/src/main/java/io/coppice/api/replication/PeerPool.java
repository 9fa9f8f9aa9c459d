package io.coppice.api.replication;

import java.time.Instant;
import java.util.UUID;

/// A pool that this one is paired with.
///
/// @param id of the pool
/// @param address host and port of its links
/// @param certificateExpires when this pool's certificate for links with it ends
public record PeerPool(
    UUID id, String name, String address, Instant paired, Instant certificateExpires) {}

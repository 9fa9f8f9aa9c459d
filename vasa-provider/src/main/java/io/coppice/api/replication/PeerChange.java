package io.coppice.api.replication;

import org.jspecify.annotations.Nullable;

/// A change of a peer.
///
/// @param address host and port of its links
public record PeerChange(@Nullable String address) {}

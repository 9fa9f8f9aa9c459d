package io.coppice.api.replication;

import org.jspecify.annotations.Nullable;

/// A pairing with the pool that shows a code.
///
/// @param address host and port of its REST API
/// @param code that it shows
public record NewPeer(@Nullable String address, @Nullable String code) {}

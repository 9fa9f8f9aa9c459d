package io.coppice.api.replication;

import java.time.Instant;

/// A code that pairs two pools.
///
/// @param code to be typed at the other pool; a secret, shown once
/// @param validUntil when it ends
/// @param address host and port of this pool's REST API, to be typed with it
public record PairingOffer(String code, Instant validUntil, String address) {}

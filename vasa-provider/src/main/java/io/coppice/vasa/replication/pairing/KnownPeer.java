package io.coppice.vasa.replication.pairing;

import io.coppice.replication.PoolName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A peer as people see it, whether or not its keys can be read.
///
/// @param address host and port of its links
/// @param certificateExpires when the certificate of this pool for links with it ends; null if it
///   cannot be read
/// @param obstacle why there are no links with it, a sentence; null if its keys can be read
public record KnownPeer(
    PoolName pool,
    String address,
    Instant paired,
    @Nullable Instant certificateExpires,
    @Nullable String obstacle) {

  static KnownPeer of(PairedPool peer) {
    return new KnownPeer(
        peer.pool(),
        peer.address(),
        peer.paired(),
        peer.own().leaf().getNotAfter().toInstant(),
        null);
  }
}

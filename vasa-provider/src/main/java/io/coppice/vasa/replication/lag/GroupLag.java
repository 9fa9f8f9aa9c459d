package io.coppice.vasa.replication.lag;

import java.time.Duration;
import java.time.Instant;

/// The lag of a replication group: what a fail-over now would lose at most.
///
/// @param newest when the newest replica was taken that the target is known to have, by the clock
///   of the source
/// @param age how long ago that is by the clock here; never negative
/// @param rpo how much that may be
public record GroupLag(Instant newest, Duration age, Duration rpo) {

  /// Whether more than is allowed would be lost.
  boolean isMissed() {
    return age.compareTo(rpo) > 0;
  }
}

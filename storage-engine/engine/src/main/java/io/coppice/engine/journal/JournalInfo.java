package io.coppice.engine.journal;

import java.time.Instant;
import java.util.List;

/// The journal of a volume, as of one moment.
///
/// @param oldest moment that it reaches back to
/// @param newest point
/// @param points in all tiers
/// @param keptBytes data that the volume has written over and the journal keeps; what several tiers
///   keep counts once for each
/// @param memoryBytes approximate memory of its points and of lists that are not stored yet
public record JournalInfo(
    List<JournalTier> tiers,
    Instant oldest,
    Instant newest,
    long points,
    long keptBytes,
    long memoryBytes) {

  public JournalInfo {
    tiers = List.copyOf(tiers);
  }
}

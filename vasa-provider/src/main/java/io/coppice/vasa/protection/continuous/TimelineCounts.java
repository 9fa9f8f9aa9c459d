package io.coppice.vasa.protection.continuous;

import java.time.Duration;

/// Counts of the journals of all volumes.
///
/// @param points in all tiers
/// @param keptBytes data that was written over and is kept
/// @param lag time since the last round of cuts that went well; zero without journals
public record TimelineCounts(long volumes, long points, long keptBytes, Duration lag) {}

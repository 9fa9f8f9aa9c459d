package io.coppice.vasa.protection;

import java.time.Duration;

/// Counts of what is protected.
///
/// @param late groups whose last point that was due could not be taken
/// @param age of the youngest point of the group with rules where that is oldest; of a group
///   without a point since its last moment was handled, or since it was made. Zero without such
///   groups
public record ProtectionCounts(long groups, long points, long late, Duration age) {}

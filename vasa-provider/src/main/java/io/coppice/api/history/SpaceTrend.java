package io.coppice.api.history;

/// The growth of what is used over some time.
///
/// @param over ISO 8601
/// @param points that it was taken from
/// @param bytesPerDay negative if it shrank
/// @param agreement share of the pairs of points that moved in this direction, 0 to 1
public record SpaceTrend(String over, int points, double bytesPerDay, double agreement) {}

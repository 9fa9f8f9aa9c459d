package io.coppice.api.history;

/// Statistics of the points of a series that have a value.
///
/// @param avg latencies weighted with the commands, all others with the time
/// @param p95 the smallest value that 95 of 100 points do not exceed
public record SeriesStatistics(double min, double avg, double max, double p95, double last) {}

package io.coppice.api.volume;

/// A part of the mean latency of commands.
///
/// @param time in microseconds
/// @param share of the whole, 0 to 1
public record LatencyPart(long time, double share) {}

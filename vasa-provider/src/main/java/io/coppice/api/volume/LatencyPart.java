package io.coppice.api.volume;

/// A part of the mean latency of commands.
///
/// @param time in microseconds
/// @param percent of the whole
public record LatencyPart(long time, int percent) {}

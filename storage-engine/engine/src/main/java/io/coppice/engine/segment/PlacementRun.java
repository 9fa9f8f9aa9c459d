package io.coppice.engine.segment;

/// A run of consecutive blocks of one segment with equally many placements. Tables from before
/// there were packed counts have such rows.
///
/// @param first address of the first one
/// @param blocks how many, 1 or more
/// @param placements of each of them, 2 or more
public record PlacementRun(long first, int blocks, long placements) {}

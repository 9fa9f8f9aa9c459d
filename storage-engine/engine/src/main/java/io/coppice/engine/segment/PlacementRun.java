package io.coppice.engine.segment;

/// Blocks of one segment, one behind the other, that have equally many placements, as tables of
/// before there were packed counts have them.
///
/// @param first address of the first one
/// @param blocks how many, 1 or more
/// @param placements of each of them, 2 or more
public record PlacementRun(long first, int blocks, long placements) {}

package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSource;

/// A run of consecutive blocks of one segment with equally many placements. Tables from before
/// there were packed counts have such rows; they are only read.
///
/// @param first address of the first one
/// @param blocks how many, 1 or more
/// @param placements of each of them, 2 or more
public record PlacementRun(long first, int blocks, long placements) {

  static final int LENGTH = 16;

  static PlacementRun decode(ByteSource in) {
    return new PlacementRun(in.u64(), in.u32(), Integer.toUnsignedLong(in.u32()));
  }

  /// Reads the row of one block from before there were runs.
  static PlacementRun decodePair(ByteSource in) {
    return new PlacementRun(in.u64(), 1, in.u64());
  }
}

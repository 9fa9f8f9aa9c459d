package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PlacementBits;
import org.jspecify.annotations.Nullable;

/// The placements beyond the first of the blocks of one segment.
///
/// @param groups as in [PlacementBits]
public record PlacementRow(int segment, long[] @Nullable [] groups) {

  public void encode(ByteSink out) {
    PlacementBits.encode(out.u32(segment), groups);
  }

  /// @throws FormatException if it is not such a row
  public static PlacementRow decode(ByteSource in) {
    return new PlacementRow(in.u32(), PlacementBits.decode(in));
  }
}

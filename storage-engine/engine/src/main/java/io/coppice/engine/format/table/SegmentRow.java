package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.Superblock;

/// A segment, and the zones in which it lies.
///
/// @param zone -1: all that lives in it has moved
/// @param meta whether it has nodes and tables, else log or survivors
/// @param open whether more may be written to it
/// @param twin its second zone, or [#NO_TWIN]
public record SegmentRow(int id, int zone, boolean meta, boolean open, int twin) {

  /// In place of a second zone.
  public static final int NO_TWIN = -1;

  private static final int LENGTH = 14;
  private static final int LENGTH_WITHOUT_TWIN = 10;

  static int length(Superblock.Features features) {
    return features.hasTwins() ? LENGTH : LENGTH_WITHOUT_TWIN;
  }

  void encode(ByteSink out) {
    out.u32(id).u32(zone).flag(meta).flag(open).u32(twin);
  }

  static SegmentRow decode(ByteSource in, Superblock.Features features) {
    return new SegmentRow(
        in.u32(), in.u32(), in.flag(), in.flag(), features.hasTwins() ? in.u32() : NO_TWIN);
  }
}

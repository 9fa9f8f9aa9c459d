package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import org.jspecify.annotations.Nullable;

/// A merge of a version into its child that is under way.
///
/// @param cursor all that ends at or before this block has been merged
public record MergeRow(int from, int to, long cursor) {

  static void encode(@Nullable MergeRow row, ByteSink out) {
    out.flag(row != null);
    if (row != null) {
      out.u32(row.from).u32(row.to).u64(row.cursor);
    }
  }

  static @Nullable MergeRow decode(ByteSource in) {
    return in.flag() ? new MergeRow(in.u32(), in.u32(), in.u64()) : null;
  }
}

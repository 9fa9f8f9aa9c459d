package io.coppice.engine.format.table;

import io.coppice.engine.format.BlockBits;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;

/// The living blocks of a segment.
///
/// @param blocks bit i mod 64 of word i / 64: block i lives
public record LiveRow(int segment, long[] blocks) {

  static final int LEAST = 8;

  void encode(ByteSink out) {
    BlockBits.encode(out.u32(segment), blocks);
  }

  /// @param isShort whether the pool has the feature of short books
  static LiveRow decode(ByteSource in, boolean isShort) {
    return new LiveRow(in.u32(), isShort ? BlockBits.decode(in) : BlockBits.decodeBitmap(in));
  }
}

package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.NodeAddress;

/// A subtree that is to be freed.
///
/// @param owner the version that gave it up
/// @param first block of the volume that it spans
/// @param cursor all that ends at or before this block has been freed
/// @param whole whether it is the whole map of a ghost
public record FreeRow(
    int owner, long first, int level, long cursor, boolean whole, NodeAddress node) {

  static final int LENGTH = 34;

  void encode(ByteSink out) {
    out.u32(owner).u64(first).u8(level).u64(cursor).flag(whole);
    node.encode(out);
  }

  static FreeRow decode(ByteSource in) {
    return new FreeRow(in.u32(), in.u64(), in.u8(), in.u64(), in.flag(), NodeAddress.decode(in));
  }
}

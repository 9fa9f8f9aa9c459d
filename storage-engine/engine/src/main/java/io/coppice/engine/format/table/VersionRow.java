package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.NodeAddress;

/// A version, and the root of its map.
///
/// @param parent 0: none
/// @param root [NodeAddress#NONE]: a map of holes
public record VersionRow(int id, int parent, boolean ghost, NodeAddress root) {

  static final int LENGTH = 21;

  void encode(ByteSink out) {
    out.u32(id).u32(parent).flag(ghost);
    root.encode(out);
  }

  static VersionRow decode(ByteSource in) {
    return new VersionRow(in.u32(), in.u32(), in.flag(), NodeAddress.decode(in));
  }
}

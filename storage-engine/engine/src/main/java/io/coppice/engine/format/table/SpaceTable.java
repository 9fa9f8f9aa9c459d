package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import java.util.ArrayList;
import java.util.List;

/// The numbers of nodes and of stored blocks, so that an open need not count them in the maps.
///
/// @param leaves number of leaves
/// @param inners number of inner nodes
/// @param versions a row for each version, in the order of their table
public record SpaceTable(long leaves, long inners, List<VersionSpace> versions) {

  /// The numbers of a version.
  ///
  /// @param mapped blocks stored in its map
  /// @param owned placements of its own
  /// @param shared approximate number of those that are of counted blocks
  public record VersionSpace(long mapped, long owned, long shared) {

    void encode(ByteSink out) {
      out.u64(mapped).u64(owned).u64(shared);
    }

    static VersionSpace decode(ByteSource in) {
      return new VersionSpace(in.u64(), in.u64(), in.u64());
    }
  }

  void encode(ByteSink out) {
    out.u64(leaves).u64(inners);
    versions.forEach(row -> row.encode(out));
  }

  /// @param count number of versions
  static SpaceTable decode(ByteSource in, int count) {
    long leaves = in.u64();
    long inners = in.u64();
    List<VersionSpace> versions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      versions.add(VersionSpace.decode(in));
    }
    return new SpaceTable(leaves, inners, versions);
  }
}

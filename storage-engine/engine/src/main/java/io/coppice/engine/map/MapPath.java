package io.coppice.engine.map;

import org.jspecify.annotations.Nullable;

/// A walk through one map from its first block on, for one reader. It keeps only the nodes above
/// its position, and nothing else that it has to read.
final class MapPath {

  private final NodeCache cache;
  private final @Nullable Inner[] held = new Inner[Geometry.ROOT_LEVEL + 1];
  private final @Nullable Node[] @Nullable [] tables = new Node[Geometry.ROOT_LEVEL + 1][];

  MapPath(NodeCache cache) {
    this.cache = cache;
  }

  /// The child of `inner` that holds `block`.
  @Nullable Node child(@Nullable Inner inner, long block) {
    if (inner == null) {
      return null;
    }
    int level = inner.level;
    @Nullable Node[] table = inner.children();
    if (table == null) {
      table = tables[level];
      if (held[level] != inner || table == null) {
        table = cache.glance(inner, Geometry.start(block, level));
        held[level] = inner;
        tables[level] = table;
      }
    }
    return Inner.child(table, Geometry.index(block, level));
  }
}

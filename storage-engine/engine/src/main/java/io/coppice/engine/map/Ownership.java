package io.coppice.engine.map;

/// Who a version id that stands in a node belongs to now: versions merge into their child when they
/// are deleted.
public interface Ownership {

  /// The living version that has taken over `version` for everything before block `end`.
  int ownerNow(int version, long end);
}

package io.coppice.engine.map;

/// The present owners of the version ids in nodes. A version that is deleted merges into its child.
public interface Ownership {

  /// The living version that has taken over `version` for all blocks before `end`.
  int ownerNow(int version, long end);
}

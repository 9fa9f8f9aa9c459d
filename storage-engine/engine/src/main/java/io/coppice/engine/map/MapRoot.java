package io.coppice.engine.map;

import org.jspecify.annotations.Nullable;

/// The root of a map: a version.
public interface MapRoot {

  /// The version's id.
  int id();

  /// The root; absent means all holes.
  @Nullable Inner root();

  /// Committer only.
  void setRoot(@Nullable Inner root);
}

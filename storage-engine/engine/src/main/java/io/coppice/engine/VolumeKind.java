package io.coppice.engine;

/// Whether a volume accepts writes.
public enum VolumeKind {
  /// A volume that hosts write to.
  WRITABLE,
  /// A volume whose content is fixed for its whole life.
  SNAPSHOT
}

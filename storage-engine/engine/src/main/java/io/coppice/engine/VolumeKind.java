package io.coppice.engine;

/// The kind of a volume: it accepts writes or not.
public enum VolumeKind {
  /// A volume that hosts write to.
  WRITABLE,
  /// A volume whose content is fixed for its whole life.
  SNAPSHOT
}

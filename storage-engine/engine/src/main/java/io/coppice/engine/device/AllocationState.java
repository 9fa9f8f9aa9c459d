package io.coppice.engine.device;

/// The certainty with which a write finds its place on the medium: the surer, the later.
public enum AllocationState {
  /// Some of it has no place yet: a write may find none ([DeviceException.NoSpace]).
  HOLE,
  /// The medium does not say.
  UNKNOWN,
  /// All of it has a place. Some was never written: the first stable write there costs more,
  /// because the file system has to note it.
  ALLOCATED,
  /// All of it has a place and was written before.
  WRITTEN
}

package io.coppice.vasa.task;

import io.coppice.engine.VolumeId;

/// The result of a successful task.
public sealed interface TaskResult {

  /// No result.
  record None() implements TaskResult {}

  /// A new virtual volume.
  record NewVolume(VolumeId volume) implements TaskResult {}

  /// A snapshot that may now be taken.
  record PreparedSnapshot(VolumeId snapshot) implements TaskResult {}
}

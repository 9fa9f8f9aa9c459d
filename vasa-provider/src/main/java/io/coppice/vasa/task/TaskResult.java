package io.coppice.vasa.task;

import io.coppice.engine.VolumeId;
import java.time.Instant;

/// The result of a successful task.
public sealed interface TaskResult {

  /// No result.
  record None() implements TaskResult {}

  /// A new virtual volume.
  record NewVolume(VolumeId volume) implements TaskResult {}

  /// A new virtual volume with what another one held at a point.
  record NewVolumeAt(VolumeId volume, Instant point) implements TaskResult {}

  /// Volumes hold again what they held at a point.
  ///
  /// @param undo the moment that takes it back
  record Reverted(Instant point, Instant undo) implements TaskResult {}

  /// A snapshot that may now be taken.
  record PreparedSnapshot(VolumeId snapshot) implements TaskResult {}
}

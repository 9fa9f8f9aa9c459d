package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;

/// Something that recovery found and did.
public sealed interface RecoveryFinding {

  VolumeId volume();

  /// One sentence for an administrator.
  String message();

  /// A volume of the pool had no row and got one; nothing of it was changed.
  record Adopted(VolumeId volume, String message) implements RecoveryFinding {}

  /// A row had no volume in the pool and is gone.
  record Forgotten(VolumeId volume, String message) implements RecoveryFinding {}

  /// An operation that was cut short is done.
  record Finished(VolumeId volume, String message) implements RecoveryFinding {}

  /// An operation that was cut short has no effect.
  record RolledBack(VolumeId volume, String message) implements RecoveryFinding {}
}

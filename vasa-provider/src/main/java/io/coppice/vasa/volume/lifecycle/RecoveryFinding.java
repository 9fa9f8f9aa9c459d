package io.coppice.vasa.volume.lifecycle;

import io.coppice.engine.VolumeId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A finding of recovery, and the repair.
///
/// @param message one sentence for an administrator
/// @param container the container that the volume is or was in; null if unknown
public record RecoveryFinding(
    Kind kind, VolumeId volume, String message, @Nullable UUID container) {

  /// The kind of a repair.
  public enum Kind {
    /// The adoption of a volume of the pool without a row: it got a row and is itself unchanged.
    ADOPTED,
    /// The removal of a row whose volume is not in the pool.
    FORGOTTEN,
    /// The completion of an operation that was cut short.
    FINISHED,
    /// The withdrawal of an operation that was cut short: it has no effect.
    ROLLED_BACK
  }

  RecoveryFinding(Kind kind, VolumeId volume, String message) {
    this(kind, volume, message, null);
  }

  /// The same finding about a volume in a container.
  RecoveryFinding in(@Nullable UUID other) {
    return new RecoveryFinding(kind, volume, message, other);
  }
}

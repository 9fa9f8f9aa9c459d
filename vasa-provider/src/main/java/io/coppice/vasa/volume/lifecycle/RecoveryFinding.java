package io.coppice.vasa.volume.lifecycle;

import io.coppice.engine.VolumeId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A finding of recovery, and the repair.
public sealed interface RecoveryFinding {

  VolumeId volume();

  /// One sentence for an administrator.
  String message();

  /// The container that the volume is or was in; null if unknown.
  @Nullable UUID container();

  /// The same finding about a volume in a container.
  default RecoveryFinding in(@Nullable UUID container) {
    return switch (this) {
      case Adopted found -> new Adopted(found.volume, found.message, container);
      case Forgotten found -> new Forgotten(found.volume, found.message, container);
      case Finished found -> new Finished(found.volume, found.message, container);
      case RolledBack found -> new RolledBack(found.volume, found.message, container);
    };
  }

  /// The adoption of a volume of the pool without a row: it got a row and is itself unchanged.
  record Adopted(VolumeId volume, String message, @Nullable UUID container)
      implements RecoveryFinding {}

  /// The removal of a row whose volume is not in the pool.
  record Forgotten(VolumeId volume, String message, @Nullable UUID container)
      implements RecoveryFinding {}

  /// The completion of an operation that was cut short.
  record Finished(VolumeId volume, String message, @Nullable UUID container)
      implements RecoveryFinding {
    Finished(VolumeId volume, String message) {
      this(volume, message, null);
    }
  }

  /// The withdrawal of an operation that was cut short: it has no effect.
  record RolledBack(VolumeId volume, String message, @Nullable UUID container)
      implements RecoveryFinding {
    RolledBack(VolumeId volume, String message) {
      this(volume, message, null);
    }
  }
}

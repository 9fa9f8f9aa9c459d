package io.coppice.vasa.volume.lifecycle;

import io.coppice.engine.VolumeId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Something that recovery found and did.
public sealed interface RecoveryFinding {

  VolumeId volume();

  /// One sentence for an administrator.
  String message();

  /// The container that the volume is or was in; null if nothing says.
  @Nullable UUID container();

  /// The same about a volume in a container.
  default RecoveryFinding in(@Nullable UUID container) {
    return switch (this) {
      case Adopted found -> new Adopted(found.volume, found.message, container);
      case Forgotten found -> new Forgotten(found.volume, found.message, container);
      case Finished found -> new Finished(found.volume, found.message, container);
      case RolledBack found -> new RolledBack(found.volume, found.message, container);
    };
  }

  /// A volume of the pool had no row and got one; nothing of it was changed.
  record Adopted(VolumeId volume, String message, @Nullable UUID container)
      implements RecoveryFinding {}

  /// A row had no volume in the pool and is gone.
  record Forgotten(VolumeId volume, String message, @Nullable UUID container)
      implements RecoveryFinding {}

  /// An operation that was cut short is done.
  record Finished(VolumeId volume, String message, @Nullable UUID container)
      implements RecoveryFinding {
    Finished(VolumeId volume, String message) {
      this(volume, message, null);
    }
  }

  /// An operation that was cut short has no effect.
  record RolledBack(VolumeId volume, String message, @Nullable UUID container)
      implements RecoveryFinding {
    RolledBack(VolumeId volume, String message) {
      this(volume, message, null);
    }
  }
}

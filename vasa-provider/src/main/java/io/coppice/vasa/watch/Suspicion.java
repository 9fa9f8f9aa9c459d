package io.coppice.vasa.watch;

import io.coppice.vasa.volume.VirtualVolume;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A suspicion, with what was done about it.
///
/// @param volume as it was when it came under suspicion
/// @param lastBefore youngest snapshot from before; null if there is none
/// @param alert whether there is to be an alert
/// @param groups protected groups of which a locked recovery point was taken, or failed for good
/// @param taken these points
public record Suspicion(
    Suspect suspect,
    VirtualVolume volume,
    @Nullable PointBefore lastBefore,
    boolean alert,
    Set<UUID> groups,
    List<UUID> taken) {

  public Suspicion {
    groups = Set.copyOf(groups);
    taken = List.copyOf(taken);
  }

  /// The same suspicion with the figures of now.
  Suspicion at(Suspect now) {
    return new Suspicion(now, volume, lastBefore, alert, groups, taken);
  }
}

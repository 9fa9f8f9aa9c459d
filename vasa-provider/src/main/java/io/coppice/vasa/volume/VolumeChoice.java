package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Virtual volumes in the pool that are no snapshots, in order of creation.
///
/// @param container those in it; null for any
/// @param type those of it; null for any
/// @param judged only those that have a profile, whose compliance there is to be judged
/// @param after those behind it; null for the beginning
public record VolumeChoice(
    @Nullable UUID container, @Nullable VolumeType type, boolean judged, @Nullable Place after) {

  /// A volume's place in the order.
  public record Place(Instant created, VolumeId id) {}

  /// The same volumes from behind another place on.
  public VolumeChoice from(Place place) {
    return new VolumeChoice(container, type, judged, place);
  }
}

package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A choice of virtual volumes in the pool that are no snapshots, in order of creation.
///
/// @param container only volumes in it; null for any
/// @param type only volumes of it; null for any
/// @param judged only volumes with a profile, whose compliance can be judged
/// @param after only volumes behind it; null for the beginning
public record VolumeChoice(
    @Nullable UUID container, @Nullable VolumeType type, boolean judged, @Nullable Place after) {

  /// A volume's place in the order.
  public record Place(Instant created, VolumeId id) {}

  /// The same volumes from behind another place on.
  public VolumeChoice from(Place place) {
    return new VolumeChoice(container, type, judged, place);
  }
}

package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A choice of virtual volumes in the pool that are no snapshots, in order of creation.
///
/// @param container only volumes in it; null for any
/// @param type only volumes of it; null for any
/// @param origin only volumes of it; null for any
/// @param name only volumes of this name; null for any
/// @param policy only volumes with the profile of this id, whatever its edition; null for any
/// @param labels only volumes with all of these labels
/// @param judged only volumes with a profile, whose compliance can be judged
/// @param after only volumes behind it; null for the beginning
public record VolumeChoice(
    @Nullable UUID container,
    @Nullable VolumeType type,
    @Nullable VolumeOrigin origin,
    @Nullable String name,
    @Nullable String policy,
    List<LabelFilter> labels,
    boolean judged,
    @Nullable Place after) {

  public VolumeChoice {
    labels = List.copyOf(labels);
  }

  /// The key, in the metadata, of the name.
  public static final String NAME_KEY = "VMW_VVolName";

  /// Volumes with a profile.
  public static final VolumeChoice JUDGED =
      new VolumeChoice(null, null, null, null, null, List.of(), true, null);

  /// Volumes that an administrator made.
  ///
  /// @param container only those in it; null for any
  /// @param name only those of this name; null for any
  public static VolumeChoice plain(@Nullable UUID container, @Nullable String name) {
    return new VolumeChoice(
        container, null, VolumeOrigin.ADMIN, name, null, List.of(), false, null);
  }

  /// Those of these volumes that have labels, too.
  public VolumeChoice labelled(List<LabelFilter> wanted) {
    return new VolumeChoice(container, type, origin, name, policy, wanted, judged, after);
  }

  /// Volumes with a profile, whatever its edition.
  ///
  /// @param profile its id
  public static VolumeChoice having(String profile) {
    return new VolumeChoice(null, null, null, null, profile, List.of(), true, null);
  }

  /// Those of these volumes that have a profile.
  ///
  /// @param profile its id; null for any volume
  public VolumeChoice ofPolicy(@Nullable String profile) {
    return new VolumeChoice(container, type, origin, name, profile, labels, judged, after);
  }

  /// A volume's place in the order.
  public record Place(Instant created, VolumeId id) {}

  /// The same volumes from behind another place on.
  public VolumeChoice from(Place place) {
    return new VolumeChoice(container, type, origin, name, policy, labels, judged, place);
  }
}

package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A choice of snapshots in the pool.
///
/// @param parents only snapshots of one of them; null for any
/// @param origins only those with one of them; null for any
/// @param machine only those with this id in their metadata, or, if they have none, in their
///   parent's; null for any
/// @param name only those of this name; null for any
/// @param labels only those with all of these labels
/// @param group only those of one cut; null for any
public record SnapshotChoice(
    @Nullable Set<VolumeId> parents,
    @Nullable Set<VolumeOrigin> origins,
    @Nullable String machine,
    @Nullable String name,
    List<LabelFilter> labels,
    @Nullable String group) {

  public SnapshotChoice {
    labels = List.copyOf(labels);
  }

  /// The key, in the metadata of each snapshot of one cut, of the run of the task that took them.
  public static final String GROUP_KEY = "Coppice_SnapshotGroup";

  /// The key, in the metadata of a snapshot that vCenter did not take, of the name of its actor.
  public static final String TAKER_KEY = "Coppice_TakenBy";

  /// All snapshots.
  public static final SnapshotChoice ALL =
      new SnapshotChoice(null, null, null, null, List.of(), null);

  /// Snapshots of some volumes.
  ///
  /// @param name only those of this name; null for any
  public static SnapshotChoice of(Set<VolumeId> parents, @Nullable String name) {
    return new SnapshotChoice(Set.copyOf(parents), null, null, name, List.of(), null);
  }
}

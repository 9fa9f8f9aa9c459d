package io.coppice.vasa.volume;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import org.jspecify.annotations.Nullable;

/// A change that has begun: the intent that recovery finds.
///
/// | Component | Meaning |
/// |---|---|
/// | `id` | also that of the engine call |
/// | `volume` | what is changed or made; of a group snapshot the first one |
/// | `other` | the snapshot reverted to, or the source of a copy of differences |
/// | `third` | the base of a copy of differences |
/// | `task` | id of the task that reports it |
record Operation(
    OperationId id,
    Kind kind,
    VolumeId volume,
    @Nullable VolumeId other,
    @Nullable VolumeId third,
    @Nullable String task) {

  enum Kind {
    CREATE,
    DELETE,
    RESIZE,
    SNAPSHOT,
    REVERT,
    COPY_DIFFS,
    POLICY,
    METADATA
  }

  static Operation of(Kind kind, VolumeId volume) {
    return new Operation(OperationId.random(), kind, volume, null, null, null);
  }

  boolean concerns(VolumeId id) {
    return volume.equals(id) || id.equals(other) || id.equals(third);
  }

  Operation with(@Nullable VolumeId other, @Nullable VolumeId third) {
    return new Operation(id, kind, volume, other, third, task);
  }

  Operation reportedAs(String task) {
    return new Operation(id, kind, volume, other, third, task);
  }
}

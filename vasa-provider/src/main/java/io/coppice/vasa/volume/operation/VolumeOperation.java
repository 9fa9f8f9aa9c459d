package io.coppice.vasa.volume.operation;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A change that has begun: the intent that recovery finds.
///
/// | Component | Meaning |
/// |---|---|
/// | `id` | also that of the engine call |
/// | `volume` | what is changed or made; of several the first one |
/// | `other` | the snapshot reverted to, or the source of a copy of differences |
/// | `third` | the base of a copy of differences |
/// | `task` | id of the task that reports it |
public record VolumeOperation(
    OperationId id,
    Kind kind,
    VolumeId volume,
    @Nullable VolumeId other,
    @Nullable VolumeId third,
    @Nullable String task) {

  public enum Kind {
    CREATE,
    DELETE,
    /// Into the recycle bin.
    BIN,
    /// Out of the recycle bin.
    RESTORE,
    RESIZE,
    SNAPSHOT,
    REVERT,
    COPY_DIFFS,
    POLICY,
    METADATA
  }

  public static VolumeOperation of(Kind kind, VolumeId volume) {
    return new VolumeOperation(OperationId.random(), kind, volume, null, null, null);
  }

  /// The id of a further engine call for this operation, the same one each time.
  ///
  /// @param step differs for each of them
  public OperationId derived(String step) {
    String name = id + ":" + step;
    return new OperationId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
  }

  public boolean concerns(VolumeId id) {
    return volume.equals(id) || id.equals(other) || id.equals(third);
  }

  public VolumeOperation with(@Nullable VolumeId other, @Nullable VolumeId third) {
    return new VolumeOperation(id, kind, volume, other, third, task);
  }

  public VolumeOperation reportedAs(String task) {
    return new VolumeOperation(id, kind, volume, other, third, task);
  }
}

package io.coppice.replication;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume of a group at the moment of a cycle.
///
/// @param id of the volume as a member: the same in every cycle and in both pools, whatever the
///   volumes are called there
/// @param snapshot what it held; the replica's snapshot gets this id
/// @param sizeInBytes its size at that moment
/// @param base a snapshot that the target has and from which the cycle sends what differs; null if
///   it sends all that is stored
/// @param attributes what the source's control plane says about the volume
public record Member(
    UUID id,
    VolumeId snapshot,
    long sizeInBytes,
    @Nullable VolumeId base,
    Map<String, String> attributes) {

  /// @throws IllegalArgumentException if the size is not one of a volume
  public Member {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(snapshot, "snapshot");
    attributes = Map.copyOf(attributes);
    if (sizeInBytes < VolumeSpec.MIN_SIZE_IN_BYTES
        || sizeInBytes > VolumeSpec.MAX_SIZE_IN_BYTES
        || sizeInBytes % 512 != 0) {
      throw new IllegalArgumentException(
          "expected a size of %d to %d bytes, a multiple of 512, got %d"
              .formatted(VolumeSpec.MIN_SIZE_IN_BYTES, VolumeSpec.MAX_SIZE_IN_BYTES, sizeInBytes));
    }
  }
}

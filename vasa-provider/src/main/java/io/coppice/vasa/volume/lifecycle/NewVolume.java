package io.coppice.vasa.volume.lifecycle;

import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A virtual volume to be made.
///
/// @param profile the profile that it must be given; null for the container's default
/// @param sizeInBytes a multiple of 1 MiB; of 4 KiB if an administrator makes it
/// @param metadata stored as it is; at least one pair if a host asks
public record NewVolume(
    UUID container,
    VolumeType type,
    VolumeOrigin origin,
    @Nullable StorageProfile profile,
    long sizeInBytes,
    Map<String, String> metadata) {

  public NewVolume {
    metadata = Map.copyOf(metadata);
  }
}

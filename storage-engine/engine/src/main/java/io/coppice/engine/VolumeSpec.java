package io.coppice.engine;

import java.util.Map;
import java.util.Objects;

/// A specification of an empty volume to be made.
///
/// | Component | Meaning |
/// |---|---|
/// | `sizeInBytes` | a multiple of 512, [#MIN_SIZE_IN_BYTES] to [#MAX_SIZE_IN_BYTES] |
/// | `reserved` | set space aside for every block, so that no later write can run out of it |
/// | `attributes` | stored with the volume; limits see [StorageEngine#setAttributes] |
public record VolumeSpec(
    VolumeId id, long sizeInBytes, boolean reserved, Map<String, String> attributes) {

  /// 4 KiB.
  public static final long MIN_SIZE_IN_BYTES = 4L << 10;

  /// 64 TiB.
  public static final long MAX_SIZE_IN_BYTES = 64L << 40;

  public VolumeSpec {
    Objects.requireNonNull(id, "id");
    attributes = Map.copyOf(attributes);
  }

  /// A thin volume without attributes.
  public static VolumeSpec thin(VolumeId id, long sizeInBytes) {
    return new VolumeSpec(id, sizeInBytes, false, Map.of());
  }
}

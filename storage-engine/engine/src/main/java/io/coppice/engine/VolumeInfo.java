package io.coppice.engine;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A volume as the pool knows it.
///
/// | Component | Meaning |
/// |---|---|
/// | `sizeInBytes` | address space, a multiple of 512, [VolumeSpec#MIN_SIZE_IN_BYTES] to [VolumeSpec#MAX_SIZE_IN_BYTES] |
/// | `origin` | the volume this one was snapshotted or cloned from; it may be deleted by now |
/// | `reserved` | space for every block of the volume is set aside ("thick") |
/// | `created` | when its record entered the log |
/// | `attributes` | the control plane's metadata, opaque to the engine |
public record VolumeInfo(
    VolumeId id,
    VolumeKind kind,
    long sizeInBytes,
    @Nullable VolumeId origin,
    boolean reserved,
    Instant created,
    Map<String, String> attributes) {

  public VolumeInfo {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(created, "created");
    attributes = Map.copyOf(attributes);
  }
}

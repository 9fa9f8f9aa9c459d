package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.policy.Requirements;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A virtual volume.
///
/// | Component | Meaning |
/// |---|---|
/// | `snapshot` | read-only for its whole life |
/// | `sizeInBytes` | address space |
/// | `thick` | its whole space is set aside |
/// | `parent` | what it was snapshotted or cloned from, which may be gone |
/// | `profile` | the profile it was given; null for none |
/// | `requirements` | what that profile requires of it |
/// | `metadata` | the pairs that hosts stored with it |
public record VirtualVolume(
    VolumeId id,
    UUID container,
    VolumeType type,
    VvolState state,
    VolumeOrigin origin,
    boolean snapshot,
    long sizeInBytes,
    boolean thick,
    @Nullable VolumeId parent,
    @Nullable AppliedProfile profile,
    Requirements requirements,
    Instant created,
    Map<String, String> metadata) {

  public VirtualVolume {
    metadata = Map.copyOf(metadata);
  }

  /// The same volume with other requirements, as for a judgement of what might be.
  public VirtualVolume requiring(Requirements others) {
    return new VirtualVolume(
        id,
        container,
        type,
        state,
        origin,
        snapshot,
        sizeInBytes,
        thick,
        parent,
        profile,
        others,
        created,
        metadata);
  }

  public VirtualVolume withMetadata(Map<String, String> pairs) {
    return new VirtualVolume(
        id,
        container,
        type,
        state,
        origin,
        snapshot,
        sizeInBytes,
        thick,
        parent,
        profile,
        requirements,
        created,
        pairs);
  }
}

package io.coppice.vasa.volume.space;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.vasa.volume.VolumeType;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume or snapshot as the pool alone knows it, with its space.
///
/// @param origin the volume that it was snapshotted or cloned from, which may be gone
/// @param name that its host or an administrator gave it
/// @param machine id of the virtual machine that it was stored for
/// @param space null once the pool has stopped
public record MeasuredVolume(
    VolumeId id,
    UUID container,
    VolumeType type,
    boolean snapshot,
    @Nullable VolumeId origin,
    @Nullable String name,
    @Nullable String machine,
    @Nullable VolumeSpace space) {}

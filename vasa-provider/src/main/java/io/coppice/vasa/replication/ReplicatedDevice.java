package io.coppice.vasa.replication;

import io.coppice.engine.VolumeId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume of a replication group, the same at both ends.
///
/// @param member its id in the group, which is that of the replica's device at the target
/// @param source the volume at the source
/// @param here the volume here; null at a target that shows none
/// @param container the storage container of the volume here, or for it; null if there is none
public record ReplicatedDevice(
    UUID member, VolumeId source, @Nullable VolumeId here, @Nullable UUID container) {}

package io.coppice.api.iscsi;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A temporary export as a client asks for it. It names a recovery point, snapshots, or snapshots
/// of a point, and at least one initiator, host or group.
///
/// @param point null: the snapshots are named
/// @param snapshots null: all of the point
/// @param writable true: clones of the snapshots are served; null is false
/// @param keepFor ISO 8601; null: what the settings say
public record NewTemporaryExport(
    @Nullable UUID point,
    @Nullable List<UUID> snapshots,
    @Nullable List<String> initiators,
    @Nullable List<UUID> hosts,
    @Nullable List<UUID> groups,
    @Nullable Boolean writable,
    @Nullable String keepFor) {}

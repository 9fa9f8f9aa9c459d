package io.coppice.api.policy;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A policy as a client writes it.
///
/// @param generation the one that was read; for PUT only
/// @param maxBandwidth bytes a second
/// @param containers null for all
public record PolicyDraft(
    @Nullable String name,
    @Nullable String description,
    @Nullable Long generation,
    @Nullable String spaceEfficiency,
    @Nullable String snapshotInterval,
    @Nullable String snapshotRetention,
    @Nullable Long maxIops,
    @Nullable Long maxBandwidth,
    @Nullable String recoveryPointAge,
    @Nullable String recoveryPointsKept,
    @Nullable String recoveryPointsLocked,
    @Nullable List<UUID> containers) {}

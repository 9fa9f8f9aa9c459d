package io.coppice.api.policy;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A policy.
public record Policy(
    String id,
    String name,
    String description,
    long generation,
    @Nullable String spaceEfficiency,
    @Nullable String snapshotInterval,
    @Nullable String snapshotRetention,
    @Nullable Long maxIops,
    @Nullable Long maxBandwidth,
    @Nullable String recoveryPointAge,
    @Nullable String recoveryPointsKept,
    @Nullable String recoveryPointsLocked,
    @Nullable List<UUID> containers,
    String author,
    Instant created) {}

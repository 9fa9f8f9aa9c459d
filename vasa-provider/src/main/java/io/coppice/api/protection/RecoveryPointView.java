package io.coppice.api.protection;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A recovery point.
///
/// @param group id of the protection group
/// @param rules names of the rules that wanted it; empty if a person did
/// @param snapshots ids of its snapshots that are left
/// @param lockedUntil until when all of them are locked, by the lock time; null if one is not
public record RecoveryPointView(
    UUID id,
    UUID group,
    String name,
    Instant taken,
    List<String> rules,
    List<UUID> snapshots,
    @Nullable Instant lockedUntil) {}

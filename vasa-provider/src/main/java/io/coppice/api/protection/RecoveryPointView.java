package io.coppice.api.protection;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A recovery point.
///
/// @param group id of the protection group
/// @param rules names of the rules that wanted it; empty if a person did
/// @param snapshots ids of its snapshots that are left
public record RecoveryPointView(
    UUID id, UUID group, String name, Instant taken, List<String> rules, List<UUID> snapshots) {}

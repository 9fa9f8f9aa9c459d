package io.coppice.api.replication;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A fail-over.
///
/// @param replica null for the newest one
/// @param planned whether the source must have prepared it; null for no
/// @param checkOnly whether only is said if it could be done; null for no
public record FailOverOrder(
    @Nullable UUID replica, @Nullable Boolean planned, @Nullable Boolean checkOnly) {}

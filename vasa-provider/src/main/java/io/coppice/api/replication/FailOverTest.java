package io.coppice.api.replication;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A test of a fail-over.
///
/// @param replica null for the newest one
/// @param checkOnly whether only is said if it could be done; null for no
public record FailOverTest(@Nullable UUID replica, @Nullable Boolean checkOnly) {}

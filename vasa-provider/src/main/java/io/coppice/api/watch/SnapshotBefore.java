package io.coppice.api.watch;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A snapshot from before something.
///
/// @param point recovery point that it belongs to; null for none
public record SnapshotBefore(
    UUID snapshot, @Nullable String name, Instant created, @Nullable UUID point) {}

package io.coppice.api.job;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The object that a job made, or brought back to a moment.
///
/// @param id the volume or snapshot; of a group the first one
/// @param group of a group of snapshots: what `/snapshots?group=` takes
/// @param point of the timeline that it was made from or brought back to
/// @param undo the moment that takes a revert back
public record Made(
    UUID id, @Nullable String group, @Nullable Instant point, @Nullable Instant undo) {}

package io.coppice.api.protection;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The effect that a draft of a protection policy would have on one group.
///
/// @param points recovery points of now
/// @param pointsLost how many of these would be given up
/// @param pointsLeft how many of these no rule would give up any more
/// @param oldestKept when the oldest was taken that would be kept; null if none would
public record GroupPreview(
    UUID group,
    String name,
    int volumes,
    int points,
    int pointsLost,
    int pointsLeft,
    @Nullable Instant oldestKept) {}

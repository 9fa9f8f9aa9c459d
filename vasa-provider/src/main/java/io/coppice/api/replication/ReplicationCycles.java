package io.coppice.api.replication;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The cycles of a replication group since its source's provider started.
///
/// @param runs whether one is on its way
/// @param begun when the last one began
/// @param took how long the last one took that ended well, in ISO 8601
/// @param error why the last one failed; null if it did not
/// @param dataBytes data that was sent, before compression
/// @param linkBytes bytes that went over the link
public record ReplicationCycles(
    boolean runs,
    @Nullable Instant begun,
    @Nullable String took,
    @Nullable String error,
    long ended,
    long failed,
    long dataBytes,
    long linkBytes) {}

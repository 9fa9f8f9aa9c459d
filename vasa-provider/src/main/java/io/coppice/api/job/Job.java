package io.coppice.api.job;

import io.coppice.api.Problem;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A job: an operation that may last, of REST, of vCenter or of a host.
///
/// @param progress percent
/// @param result what it made; null before its end and if it makes nothing
/// @param error why it failed
public record Job(
    String id,
    String name,
    String state,
    int progress,
    @Nullable UUID vvol,
    Instant created,
    @Nullable Instant finished,
    @Nullable Made result,
    @Nullable Problem error) {}

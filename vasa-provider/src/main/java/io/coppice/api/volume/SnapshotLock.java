package io.coppice.api.volume;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A lock of a snapshot or recovery point to be set or lengthened: either its end or its length.
///
/// @param until its end, by the lock time
/// @param lockFor its length from now on, in ISO 8601
public record SnapshotLock(@Nullable Instant until, @Nullable String lockFor) {}

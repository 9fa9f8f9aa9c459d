package io.coppice.api.volume;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The locks of the pool.
///
/// @param lockTime the time by which locks end
/// @param maxLock the longest time from now for which a snapshot may be locked, in ISO 8601
/// @param lockedSnapshots how many are locked
/// @param firstEnd when the first of these locks ends; null if there is none
public record LockState(
    Instant lockTime, String maxLock, int lockedSnapshots, @Nullable Instant firstEnd) {}

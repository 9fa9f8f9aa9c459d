package io.coppice.api.volume;

import org.jspecify.annotations.Nullable;

/// A change of what locks may be.
///
/// @param maxLock lower than now, in ISO 8601
public record LockStateChange(@Nullable String maxLock) {}

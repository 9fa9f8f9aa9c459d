package io.coppice.api.system;

import org.jspecify.annotations.Nullable;

/// A change of a token's text.
///
/// @param expiresInDays from now on; null leaves its end as it is
/// @param graceMinutes for which the former text still counts; null for 60
public record TokenRotation(@Nullable Integer expiresInDays, @Nullable Integer graceMinutes) {}

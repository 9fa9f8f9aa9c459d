package io.coppice.api.policy;

import org.jspecify.annotations.Nullable;

/// A change of a schedule; null leaves a field as it is.
public record ScheduleChange(@Nullable Boolean enabled, @Nullable Boolean retentionEnabled) {}

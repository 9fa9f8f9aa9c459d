package io.coppice.vasa.container;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A lower time in the recycle bin that a container gets later.
///
/// @param time zero for not at all; null: as the setting says
/// @param at from when on, by the time that has passed
public record LowerBinTime(@Nullable Duration time, Instant at) {}

package io.coppice.api.runbook;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The times at which a runbook is tested by itself.
///
/// @param at time of day, such as `02:00`
/// @param zone in which it is meant, such as `Europe/Berlin`
/// @param days of the week, such as `monday`; none for each day
public record TestTimes(@Nullable String at, @Nullable String zone, @Nullable List<String> days) {}

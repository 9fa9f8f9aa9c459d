package io.coppice.api.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One figure over time.
///
/// @param unit `1/s`, `B/s`, `µs`, `s` or `B`
/// @param statistics null if no point has a value
/// @param values one for each step; null where nothing is known
public record RecordedSeries(
    String name,
    String unit,
    @Nullable SeriesStatistics statistics,
    List<@Nullable Double> values) {}

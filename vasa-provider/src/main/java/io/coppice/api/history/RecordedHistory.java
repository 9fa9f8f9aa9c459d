package io.coppice.api.history;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The history of one object in a span of time.
///
/// @param id of the object; null for the whole array
/// @param from begin of the first point
/// @param to end of the last point
/// @param step from one point to the next, such as `10s`
/// @param obstacle why nothing is recorded now, as a clause; null if it is
public record RecordedHistory(
    @Nullable String id,
    Instant from,
    Instant to,
    String step,
    @Nullable String obstacle,
    List<RecordedSeries> series) {}

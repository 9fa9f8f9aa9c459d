package io.coppice.api.timeline;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A tier of a timeline: how far apart its points are, and how long each is kept.
///
/// @param every in ISO 8601
/// @param keepFor in ISO 8601
/// @param endsAt when it ends, or keeps its points for less, because no policy wants it as it is
///   any more; null if one does
public record TimelineTier(String every, String keepFor, @Nullable Instant endsAt) {}

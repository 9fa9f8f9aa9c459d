package io.coppice.api.protection;

import org.jspecify.annotations.Nullable;

/// A tier of continuous points.
///
/// @param every time between two points, in ISO 8601
/// @param keepFor how long each of them is kept, in ISO 8601
public record ContinuousTier(@Nullable String every, @Nullable String keepFor) {}

package io.coppice.api.volume;

import org.jspecify.annotations.Nullable;

/// The name of a snapshot or clone to be made.
///
/// The name of a snapshot or clone.
public record Named(@Nullable String name) {}

package io.coppice.api.bin;

import org.jspecify.annotations.Nullable;

/// A restore from the recycle bin.
///
/// @param name a new name; null for its own
public record Restore(@Nullable String name) {}

package io.coppice.api.volume;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The name and the labels of a snapshot or clone to be made.
///
/// @param labels null for none
public record Named(@Nullable String name, @Nullable Map<String, @Nullable String> labels) {}

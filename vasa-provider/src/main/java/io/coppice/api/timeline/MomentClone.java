package io.coppice.api.timeline;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A clone to be made of what a volume or virtual machine held at a moment.
///
/// @param name of the new volume; of those of a machine the beginning of their names
/// @param labels null for none
public record MomentClone(
    @Nullable Instant moment,
    @Nullable String name,
    @Nullable Map<String, @Nullable String> labels) {}

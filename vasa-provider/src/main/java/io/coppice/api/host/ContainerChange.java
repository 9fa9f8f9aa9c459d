package io.coppice.api.host;

import org.jspecify.annotations.Nullable;

/// A change of a storage container; null leaves a field as it is.
///
/// @param binTime how long what is deleted stays in the recycle bin, ISO 8601, or `default`
public record ContainerChange(
    @Nullable String name, @Nullable Long quota, @Nullable String binTime) {}

package io.coppice.api.host;

import org.jspecify.annotations.Nullable;

/// A change of a storage container; null leaves a field as it is.
public record ContainerChange(@Nullable String name, @Nullable Long quota) {}

package io.coppice.api.host;

import org.jspecify.annotations.Nullable;

/// A storage container as a client asks for it.
public record NewContainer(@Nullable String name, @Nullable Long quota) {}

package io.coppice.api.host;

import org.jspecify.annotations.Nullable;

/// A storage container as a client asks for it.
///
/// @param binTime how long what is deleted stays in the recycle bin, ISO 8601; null or `default`
///   for that of the settings
public record NewContainer(@Nullable String name, @Nullable Long quota, @Nullable String binTime) {}

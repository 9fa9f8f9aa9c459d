package io.coppice.api.protection;

import org.jspecify.annotations.Nullable;

/// A recovery point to be taken on demand.
public record NewPoint(@Nullable String name) {}

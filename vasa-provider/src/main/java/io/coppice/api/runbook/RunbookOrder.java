package io.coppice.api.runbook;

import org.jspecify.annotations.Nullable;

/// A run for real.
///
/// @param planned whether each source must have prepared it; null for no
public record RunbookOrder(@Nullable Boolean planned) {}

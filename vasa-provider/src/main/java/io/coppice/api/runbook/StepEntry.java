package io.coppice.api.runbook;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A step of a runbook.
///
/// @param groups ids of replication groups; in a request also names
/// @param pause wait before the next step, in ISO 8601; null for none
public record StepEntry(@Nullable List<String> groups, @Nullable String pause) {}

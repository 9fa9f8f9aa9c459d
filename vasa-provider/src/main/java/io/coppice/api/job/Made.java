package io.coppice.api.job;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The object that a job made.
///
/// @param id the volume or snapshot; of a group the first one
/// @param group of a group of snapshots: what `/snapshots?group=` takes
public record Made(UUID id, @Nullable String group) {}

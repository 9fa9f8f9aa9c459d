package io.coppice.api.replication;

import org.jspecify.annotations.Nullable;

/// A tier by which replicas are kept.
///
/// @param every time between two replicas, in ISO 8601
/// @param keepFor how long each of them is kept, in ISO 8601
public record ReplicaTier(@Nullable String every, @Nullable String keepFor) {}

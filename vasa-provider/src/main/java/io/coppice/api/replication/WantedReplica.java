package io.coppice.api.replication;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A replica that is wanted now.
///
/// @param name for people; null for none
/// @param tags for people; null for none
public record WantedReplica(@Nullable String name, @Nullable List<String> tags) {}

package io.coppice.api.protection;

import org.jspecify.annotations.Nullable;

/// The wish of a protection policy for the moment at which the ransomware watch suspects a volume.
///
/// @param alert whether there is an alert; null for yes
/// @param lockSnapshotFor how long a recovery point is locked that is taken then, in ISO 8601; null
///   for none
public record PolicyWatch(@Nullable Boolean alert, @Nullable String lockSnapshotFor) {}

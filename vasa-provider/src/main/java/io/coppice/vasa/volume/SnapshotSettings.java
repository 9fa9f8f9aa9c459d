package io.coppice.vasa.volume;

import java.time.Duration;

/// @param preparedKept how long a prepared snapshot that nobody takes outlives the session that
///   prepared it
public record SnapshotSettings(Duration preparedKept) {}

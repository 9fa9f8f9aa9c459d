package io.coppice.vasa.volume.snapshot;

import java.time.Duration;

/// The times for which a prepared snapshot that nobody takes is kept.
///
/// @param preparedKept after the end of the session that prepared it
/// @param preparedLifetime after it was prepared, though that session lives
public record SnapshotSettings(Duration preparedKept, Duration preparedLifetime) {}

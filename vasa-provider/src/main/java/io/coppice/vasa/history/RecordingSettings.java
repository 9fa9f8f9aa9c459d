package io.coppice.vasa.history;

/// Settings of the history; see `config/application.yaml` for each.
///
/// @param enabled whether anything is recorded
/// @param disk most bytes of its files
/// @param memory most bytes of memory that it is meant to take; bounds the volumes that it knows
/// @param spare bytes that its file system must have left
public record RecordingSettings(boolean enabled, long disk, long memory, long spare) {

  /// Memory of two answers and of the writing of a segment.
  private static final long WORK = 24L << 20;

  private static final long BYTES_PER_VOLUME = 512;

  /// Most volumes that are known, those that are deleted included.
  int volumes() {
    return Math.clamp((memory - WORK) / BYTES_PER_VOLUME, 1000, 10_000_000);
  }
}

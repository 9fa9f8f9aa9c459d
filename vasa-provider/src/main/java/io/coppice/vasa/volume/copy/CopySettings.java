package io.coppice.vasa.volume.copy;

/// The limits of copies of differences.
///
/// @param backgroundBytes most bytes that a call copies before it answers, 1 MiB or more; a task
///   behind the call copies larger amounts
public record CopySettings(long backgroundBytes) {

  public CopySettings {
    if (backgroundBytes < 1 << 20) {
      throw new IllegalArgumentException(
          "coppice.vasa.tasks.copy-in-call: expected 1MB or more, got %d bytes"
              .formatted(backgroundBytes));
    }
  }
}

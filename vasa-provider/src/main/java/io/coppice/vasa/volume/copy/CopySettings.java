package io.coppice.vasa.volume.copy;

/// The limits of copies of differences.
///
/// @param backgroundBytes most that a call copies before it answers, 1 MiB or more; what is larger
///   is copied by a task that goes on behind the call
public record CopySettings(long backgroundBytes) {

  public CopySettings {
    if (backgroundBytes < 1 << 20) {
      throw new IllegalArgumentException(
          "coppice.vasa.tasks.copy-in-call: expected 1MB or more, got %d bytes"
              .formatted(backgroundBytes));
    }
  }
}

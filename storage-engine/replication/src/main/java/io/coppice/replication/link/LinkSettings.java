package io.coppice.replication.link;

import java.time.Duration;

/// The settings of a link.
///
/// @param silence after which an end that sends nothing, or takes nothing, counts as gone: 40 ms or
///   more
/// @param compresses whether data is compressed before it is sent
public record LinkSettings(Duration silence, boolean compresses) {

  private static final Duration LEAST = Duration.ofMillis(40);

  /// As delivered: 15 seconds, compressed.
  public static final LinkSettings DEFAULT = new LinkSettings(Duration.ofSeconds(15), true);

  /// @throws IllegalArgumentException if the silence is too short
  public LinkSettings {
    if (silence.compareTo(LEAST) < 0) {
      throw new IllegalArgumentException(
          "expected a silence of at least %s, got %s".formatted(LEAST, silence));
    }
  }
}

package io.coppice.engine.journal;

import java.time.Duration;

/// A tier of a journal: how far apart its points are, and how long each is kept.
///
/// @param every at least a second, in whole seconds
/// @param keep at least `every`, in whole seconds, up to ten years
public record JournalTier(Duration every, Duration keep) {

  /// Longest time that a point may be kept: ten years.
  public static final Duration LONGEST = Duration.ofDays(3653);

  public JournalTier {
    requireSeconds("between points", every);
    requireSeconds("that points are kept", keep);
    if (keep.compareTo(every) < 0 || keep.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "Expected a time that points are kept from %s to %s, got %s."
              .formatted(every, LONGEST, keep));
    }
  }

  private static void requireSeconds(String which, Duration time) {
    if (time.toSeconds() < 1 || time.getNano() != 0) {
      throw new IllegalArgumentException(
          "Expected a time %s of whole seconds, at least one, got %s.".formatted(which, time));
    }
  }
}

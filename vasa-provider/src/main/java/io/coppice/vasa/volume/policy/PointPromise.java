package io.coppice.vasa.volume.policy;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A promise of recovery points of a volume, and the youngest point that there is.
///
/// @param every the most that two points are apart
/// @param kept for how long some of them are kept at least
/// @param locked for how long some of them are locked at least; zero for not at all
/// @param youngest when the youngest was taken, by the time that has passed; null if there is none
public record PointPromise(
    Duration every, Duration kept, Duration locked, @Nullable Instant youngest) {

  /// Both promises together: of each part the better one.
  public PointPromise and(PointPromise other) {
    return new PointPromise(
        every.compareTo(other.every) < 0 ? every : other.every,
        longer(kept, other.kept),
        longer(locked, other.locked),
        later(youngest, other.youngest));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.isAfter(other) ? one : other;
  }
}

package io.coppice.vasa.replication.group;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The cycles of a group at its source since the provider started.
///
/// @param runs whether one is on its way
/// @param begun when the last one began; null if none has
/// @param took how long the last one took that ended well; null if none has
/// @param reached when the newest replica that the target is known to have was taken; null if none
///   is known
/// @param error why the last one failed; null if it did not
/// @param cycles that ended well
/// @param failures those that failed
/// @param inARow those that failed since the last one that ended well
/// @param dataBytes data that was sent, before compression
/// @param linkBytes bytes that went over the link
public record CycleStatus(
    boolean runs,
    @Nullable Instant begun,
    @Nullable Duration took,
    @Nullable Instant reached,
    @Nullable String error,
    long cycles,
    long failures,
    int inARow,
    long dataBytes,
    long linkBytes) {

  /// Before the first cycle.
  public static final CycleStatus NONE =
      new CycleStatus(false, null, null, null, null, 0, 0, 0, 0, 0);

  CycleStatus begin(Instant now) {
    return new CycleStatus(
        true, now, took, reached, error, cycles, failures, inARow, dataBytes, linkBytes);
  }

  CycleStatus fail(String sentence) {
    return new CycleStatus(
        false,
        begun,
        took,
        reached,
        sentence,
        cycles,
        failures + 1,
        inARow + 1,
        dataBytes,
        linkBytes);
  }

  CycleStatus end(Duration time, Instant taken, long data, long link) {
    return new CycleStatus(
        false,
        begun,
        time,
        taken,
        null,
        cycles + 1,
        failures,
        0,
        dataBytes + data,
        linkBytes + link);
  }
}

package io.coppice.vasa.history;

import io.coppice.vasa.history.file.HistoryStep;
import java.time.Duration;
import java.time.Instant;

/// The slots that a question is about.
///
/// @param from number of the first slot
/// @param to number of the slot after the last one
public record Window(HistoryStep step, long from, long to) {

  /// The slots that begin in a span of time, those under way left out.
  ///
  /// @param now the slot that has not ended then, and later ones, are no part of it
  public static Window of(HistoryStep step, Instant from, Instant to, Instant now) {
    long first = step.slotAt(from);
    long end = step.slotAt(to.plusMillis(step.seconds() * 1000L - 1));
    long ended = step.slotAt(now);
    return new Window(step, first, Math.max(first, Math.min(end, ended)));
  }

  /// The shortest step whose points are kept since `from`, without more of them than it keeps.
  public static HistoryStep stepFor(Instant from, Instant to, Instant now) {
    for (HistoryStep step : HistoryStep.values()) {
      boolean isKept = !from.isBefore(now.minus(step.kept()).minus(Duration.ofMinutes(1)));
      if (isKept && Duration.between(from, to).compareTo(step.kept().plusMinutes(1)) <= 0) {
        return step;
      }
    }
    return HistoryStep.HOUR;
  }

  public Instant begin() {
    return step.beginOf(from);
  }

  public Instant end() {
    return step.beginOf(to);
  }

  /// How many points it has.
  public int length() {
    return Math.toIntExact(to - from);
  }
}

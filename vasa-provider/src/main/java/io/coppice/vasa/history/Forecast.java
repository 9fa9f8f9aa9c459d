package io.coppice.vasa.history;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An answer to when the pool or a container is full.
///
/// @param outcome which answer it is
/// @param sentence the answer in words, with the time that it rests on and how sure it is
/// @param used bytes that are taken now; null if that is not known
/// @param size bytes that can be taken; null if that is not known
/// @param at when it is full; null unless that is foreseen
/// @param sureness how evenly it grew; null unless a time is foreseen
/// @param trends of the last hour, day and 30 days, as far as there is enough history
public record Forecast(
    Outcome outcome,
    String sentence,
    @Nullable Long used,
    @Nullable Long size,
    @Nullable Instant at,
    @Nullable Sureness sureness,
    List<Trend> trends) {

  public Forecast {
    trends = List.copyOf(trends);
  }

  /// The kinds of answers.
  public enum Outcome {
    /// It fills up at a time that can be foreseen.
    FILLING,

    /// It is full now.
    FULL,

    /// It does not grow, or not fast enough to be full within ten years.
    NOT_GROWING,

    /// There is not enough history.
    TOO_LITTLE_HISTORY
  }

  /// The sureness of a forecast: how evenly the space grew.
  public enum Sureness {
    HIGH,
    MEDIUM,
    LOW
  }

  /// When it is full, if that is foreseen.
  public Optional<Instant> fullAt() {
    return Optional.ofNullable(at);
  }
}

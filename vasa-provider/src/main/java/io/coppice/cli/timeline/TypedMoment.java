package io.coppice.cli.timeline;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.verb.Inputs;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A moment as a person types it: a date and time with an offset, one without, which is local, or a
/// time of day, which is the last one that is over.
final class TypedMoment {

  private TypedMoment() {}

  /// The moment that an option has; null if it was not typed.
  ///
  /// @throws CommandFailedException if it is no moment
  static @Nullable Instant of(Inputs in, String option) {
    String text = in.text(option);
    return text == null ? null : parse(option, text, ZonedDateTime.now());
  }

  /// @param now with the zone of local times
  /// @throws CommandFailedException if the text is no moment
  static Instant parse(String option, String text, ZonedDateTime now) {
    String joined = text.strip().replaceFirst("(?<=\\d) +(?=\\d)", "T");
    return read(joined, OffsetDateTime::parse)
        .map(OffsetDateTime::toInstant)
        .or(() -> read(joined, LocalDateTime::parse).map(time -> lastOf(time, now)))
        .or(() -> read(joined, LocalTime::parse).map(time -> lastOf(time, now)))
        .orElseThrow(
            () ->
                CommandFailedException.usage(
                    "expected %s as a moment such as 14:32:05, 2026-11-27T14:32:05 or 2026-11-27T14:32:05Z, got '%s'",
                    option, text));
  }

  private static <T> Optional<T> read(String text, Function<String, T> form) {
    try {
      return Optional.of(form.apply(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /// Where clocks are set back, a local time comes twice: the later one counts, unless it is not
  /// over.
  private static Instant lastOf(LocalDateTime time, ZonedDateTime now) {
    ZonedDateTime first = time.atZone(now.getZone());
    ZonedDateTime second = first.withLaterOffsetAtOverlap();
    return (second.isAfter(now) ? first : second).toInstant();
  }

  private static Instant lastOf(LocalTime time, ZonedDateTime now) {
    Instant today = lastOf(now.toLocalDate().atTime(time), now);
    return today.isAfter(now.toInstant())
        ? lastOf(now.toLocalDate().minusDays(1).atTime(time), now)
        : today;
  }
}

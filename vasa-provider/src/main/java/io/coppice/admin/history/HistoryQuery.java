package io.coppice.admin.history;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.vasa.history.Series;
import io.coppice.vasa.history.Window;
import io.coppice.vasa.history.file.HistoryStep;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The parameters of a question about history: which span of time, in which steps, which series.
///
/// @param from begin of the span
/// @param to its end; without it, now
/// @param window its length, instead of one of both; an hour if nothing is said
/// @param step one of [HistoryStep]; without it, the shortest that is kept for the span
/// @param series names with commas; without them, all
record HistoryQuery(
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable String window,
    @Nullable String step,
    @Nullable String series) {

  private static final Pattern SHORT = Pattern.compile("\\d{1,9}[smhd]");
  private static final Duration USUAL = Duration.ofHours(1);
  private static final Duration LONGEST = Duration.ofDays(366);
  private static final int MOST_POINTS = 10_000;

  /// @throws RequestRejectedException (400) if the parameters contradict each other, or name what
  ///   does not exist
  Window window(Instant now) {
    if (from != null && to != null && window != null) {
      throw RequestRejectedException.field(
          "window", "expected two of from, to and window at most, got all three");
    }
    Duration length = window == null ? USUAL : length(window);
    Instant begin = begin(now, length);
    Instant end = to != null ? to : from != null && window != null ? plus(begin, length) : now;
    check(begin, end, now);
    HistoryStep chosen = step == null ? Window.stepFor(begin, end, now) : parsedStep(step);
    long points = Duration.between(begin, end).toSeconds() / chosen.seconds();
    if (points > MOST_POINTS) {
      throw RequestRejectedException.field(
          "step",
          "expected at most %d points, got %d by steps of %s; the steps are %s"
              .formatted(MOST_POINTS, points, chosen.text(), HistoryStep.choices()));
    }
    return Window.of(chosen, begin, end, now);
  }

  private Instant begin(Instant now, Duration length) {
    return from != null ? from : plus(to != null ? to : now, length.negated());
  }

  private static Instant plus(Instant time, Duration length) {
    try {
      return time.plus(length);
    } catch (DateTimeException | ArithmeticException e) {
      throw RequestRejectedException.field(
          "window", "expected a span of time that exists, got %s and %s".formatted(time, length));
    }
  }

  private static void check(Instant begin, Instant end, Instant now) {
    if (!begin.isBefore(end)) {
      throw RequestRejectedException.field(
          "from", "expected a begin before the end %s, got %s".formatted(end, begin));
    }
    if (!begin.isBefore(now)) {
      throw RequestRejectedException.field(
          "from", "expected a begin before now, %s, got %s".formatted(now, begin));
    }
    if (Duration.between(begin, end).compareTo(LONGEST) > 0) {
      throw RequestRejectedException.field(
          "from",
          "expected a span of at most %d days, got %s to %s"
              .formatted(LONGEST.toDays(), begin, end));
    }
  }

  private static Duration length(String text) {
    try {
      String upper = text.toUpperCase(Locale.ROOT);
      Duration length =
          SHORT.matcher(text).matches()
              ? Duration.parse(upper.endsWith("D") ? "P" + upper : "PT" + upper)
              : Duration.parse(text);
      if (length.isPositive() && length.compareTo(LONGEST) <= 0) {
        return length;
      }
    } catch (DateTimeParseException e) {
      throw RequestRejectedException.field(
          "window",
          "expected a length of time such as 15m, 24h, 30d or PT1H, got '%s'".formatted(text));
    }
    throw RequestRejectedException.field(
        "window", "expected 1s to %d d, got '%s'".formatted(LONGEST.toDays(), text));
  }

  private static HistoryStep parsedStep(String text) {
    return HistoryStep.parse(text)
        .orElseThrow(
            () ->
                RequestRejectedException.field(
                    "step", "expected one of %s, got '%s'".formatted(HistoryStep.choices(), text)));
  }

  /// The series that are asked for, among those that there are.
  ///
  /// @throws RequestRejectedException (400) if one is none of them, or comes twice
  List<Series> of(List<Series> all) {
    if (series == null) {
      return all;
    }
    List<Series> wanted = new ArrayList<>();
    for (String name : series.split(",", -1)) {
      Series one = Series.find(all, name).orElseThrow(() -> unknown(all, name));
      if (wanted.contains(one)) {
        throw RequestRejectedException.field(
            "series", "expected each series once, got '%s' twice".formatted(name));
      }
      wanted.add(one);
    }
    return wanted;
  }

  private static RequestRejectedException unknown(List<Series> all, String name) {
    return RequestRejectedException.field(
        "series",
        "expected some of %s with commas between them, got '%s'"
            .formatted(all.stream().map(Series::text).collect(Collectors.joining(", ")), name));
  }
}

package io.coppice.vasa.history;

import io.coppice.vasa.history.file.HistoryStep;
import io.coppice.vasa.history.file.Record;
import io.coppice.vasa.history.file.Stretch;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The forecasts from the history of space. The longest of three windows that has enough points
/// shows growth decides: 30 days, a day or an hour; but a shorter one that is even and leads to the
/// end within a week, if that is sooner.
public final class SpaceForecasts implements Forecasts {

  private static final Duration FORESEEABLE = Duration.ofDays(3650);
  private static final Duration SOON = Duration.ofDays(7);
  private static final Duration RECENT = Duration.ofMinutes(5);
  private static final int FEWEST_POINTS = 20;
  private static final double LEAST_AGREEMENT = 0.6;
  private static final double SURE = 0.9;
  private static final double RATHER_SURE = 0.75;

  private final History history;

  public SpaceForecasts(History history) {
    this.history = history;
  }

  /// A span of the past that a trend is taken from.
  private record Past(HistoryStep step, Duration span) {}

  private static final List<Past> PASTS =
      List.of(
          new Past(HistoryStep.HOUR, Duration.ofDays(30)),
          new Past(HistoryStep.TEN_MINUTES, Duration.ofDays(1)),
          new Past(HistoryStep.MINUTE, Duration.ofHours(1)));

  /// The reading of what is taken and what there is from a record of exact space.
  private interface Reading {
    long taken(short[] words);
  }

  @Override
  public Forecast ofPool() {
    return of(
        "the pool",
        Keys.poolSpace(),
        words -> Record.exact(words, 0) - Record.exact(words, 2)); // what is not free
  }

  @Override
  public Forecast ofContainer(UUID container, String name) {
    return of(
        "the container '%s'".formatted(name),
        Keys.containerSpace(container),
        words -> Record.exact(words, 1));
  }

  private Forecast of(String what, long key, Reading reading) {
    Instant now = history.now();
    short[] last = last(key, now);
    List<Trend> trends = new ArrayList<>();
    for (Past past : PASTS) {
      Trend trend = trend(past, key, reading, now);
      if (trend != null) {
        trends.add(trend);
      }
    }
    if (last == null) {
      return unknown(what, trends);
    }
    Question question = new Question(what, reading.taken(last), Record.exact(last, 0), now);
    return question.answer(trends);
  }

  private static Forecast unknown(String what, List<Trend> trends) {
    return new Forecast(
        Forecast.Outcome.TOO_LITTLE_HISTORY,
        "There is too little history to say when %s is full: its space of the last minutes was not recorded."
            .formatted(what),
        null,
        null,
        null,
        null,
        trends);
  }

  /// The last record of the last minutes; null if there is none.
  private short @Nullable [] last(long key, Instant now) {
    Stretch recent =
        history.read(Window.of(HistoryStep.TEN_SECONDS, now.minus(RECENT), now, now), List.of(key));
    for (int i = recent.length() - 1; i >= 0; i--) {
      short[] words = recent.words(key, i);
      if (words != null) {
        return words;
      }
    }
    return null;
  }

  private @Nullable Trend trend(Past past, long key, Reading reading, Instant now) {
    Window window = Window.of(past.step(), now.minus(past.span()), now, now);
    Stretch stretch = history.read(window, List.of(key));
    double[] times = new double[stretch.length()];
    double[] values = new double[times.length];
    int count = 0;
    for (int i = 0; i < times.length; i++) {
      short[] words = stretch.words(key, i);
      if (words != null) {
        times[count] = (double) i * past.step().seconds();
        values[count++] = reading.taken(words);
      }
    }
    boolean enough =
        count >= FEWEST_POINTS && times[count - 1] - times[0] >= past.span().toSeconds() / 2.0;
    return enough
        ? Trend.of(java.util.Arrays.copyOf(times, count), java.util.Arrays.copyOf(values, count))
        : null;
  }

  /// A space that is asked about.
  private record Question(String what, long used, long size, Instant now) {

    Forecast answer(List<Trend> trends) {
      if (used >= size) {
        return said(
            Forecast.Outcome.FULL,
            "%s is full now: %s of %s are used.".formatted(capital(), text(used), text(size)),
            trends);
      }
      if (trends.isEmpty()) {
        return said(
            Forecast.Outcome.TOO_LITTLE_HISTORY,
            "There is too little history to say when %s is full: less than half an hour."
                .formatted(what),
            trends);
      }
      for (int i = 0; i < trends.size(); i++) {
        Trend trend = trends.get(i);
        if (isFilling(trend) && !(i + 1 < trends.size() && isSooner(trends.get(i + 1), trend))) {
          return filling(trend, rest(trend), trends);
        }
      }
      Trend longest = trends.getFirst();
      return said(
          Forecast.Outcome.NOT_GROWING,
          "%s is not growing: over the last %s it changed by %s a day, and %s of %s are used."
              .formatted(
                  capital(), span(longest), signed(longest.perDay()), text(used), text(size)),
          trends);
    }

    private boolean isFilling(Trend trend) {
      return trend.perDay() > 0
          && trend.agreement() >= LEAST_AGREEMENT
          && (size - used) / trend.perDay() <= FORESEEABLE.toDays();
    }

    /// Whether a shorter trend counts more: it is even, and leads to a full one soon.
    private boolean isSooner(Trend shorter, Trend longer) {
      return shorter.agreement() >= SURE
          && isFilling(shorter)
          && rest(shorter).compareTo(SOON) < 0
          && rest(shorter).compareTo(rest(longer)) < 0;
    }

    private Duration rest(Trend trend) {
      return Duration.ofSeconds((long) ((size - used) / trend.perDay() * 86_400));
    }

    private Forecast filling(Trend main, Duration rest, List<Trend> trends) {
      Forecast.Sureness sureness =
          main.agreement() >= SURE
              ? Forecast.Sureness.HIGH
              : main.agreement() >= RATHER_SURE ? Forecast.Sureness.MEDIUM : Forecast.Sureness.LOW;
      Instant at = now.plus(rest).truncatedTo(ChronoUnit.SECONDS);
      String sentence =
          "%s is full in about %s: over the last %s it grew by %s a day, %s, and %s of %s are used."
              .formatted(
                  capital(),
                  about(rest),
                  span(main),
                  text(Math.round(main.perDay())),
                  switch (sureness) {
                    case HIGH -> "evenly";
                    case MEDIUM -> "somewhat unevenly";
                    case LOW -> "unevenly, so this is not sure";
                  },
                  text(used),
                  text(size));
      return new Forecast(Forecast.Outcome.FILLING, sentence, used, size, at, sureness, trends);
    }

    private Forecast said(Forecast.Outcome outcome, String sentence, List<Trend> trends) {
      return new Forecast(outcome, sentence, used, size, null, null, trends);
    }

    private String capital() {
      return what.substring(0, 1).toUpperCase(Locale.ROOT) + what.substring(1);
    }
  }

  private static String span(Trend trend) {
    return about(trend.span());
  }

  private static String about(Duration time) {
    long hours = Math.round(time.toSeconds() / 3600.0);
    long days = Math.round(time.toSeconds() / 86_400.0);
    if (hours < 2) {
      return Math.max(1, time.toMinutes()) + " minutes";
    }
    return hours < 48 ? hours + " hours" : days + " days";
  }

  private static String signed(double bytes) {
    return (bytes < 0 ? "-" : "") + text(Math.round(Math.abs(bytes)));
  }

  private static String text(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double rest = bytes;
    int unit = 0;
    while (rest >= 1024 && unit < units.length - 1) {
      rest /= 1024;
      unit++;
    }
    return unit == 0
        ? bytes + " B"
        : String.format(Locale.ROOT, rest < 10 ? "%.1f %s" : "%.0f %s", rest, units[unit]);
  }
}

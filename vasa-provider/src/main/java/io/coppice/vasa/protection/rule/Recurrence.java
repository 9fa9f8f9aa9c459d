package io.coppice.vasa.protection.rule;

import io.coppice.vasa.fault.VasaException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.stream.Collectors;

/// The moments that a rule names.
///
/// [Every] counts the time that has passed. All others are read on the machine's clock, because
/// they mean a time of day that people know.
///
/// Daily, weekly and monthly moments are local times of a zone. One that does not exist, because
/// clocks go forward over it, is taken at the end of the gap. One that exists twice, because clocks
/// go back, is taken once, at the first of the two. A day that a zone leaves out is taken at the
/// end of the gap, too. [Hourly] counts the hours of UTC, which have no gaps.
public sealed interface Recurrence {

  /// The first moment after another one.
  Instant nextAfter(Instant after);

  /// The last moment that is not after another one.
  Instant latestAt(Instant at);

  /// Whether the moments are those of the machine's clock, and not of the time that has passed.
  default boolean isOnTheClock() {
    return true;
  }

  /// A time that two neighbouring moments are apart at least, but for changes of a zone's offset.
  Duration shortest();

  /// The most that two neighbouring moments are apart, but for changes of a zone's offset.
  Duration longest();

  /// A fixed interval, counted from the beginning of 1970, so that rules whose intervals divide
  /// each other share their moments.
  ///
  /// @param interval whole seconds, 1 s to 24 h
  record Every(Duration interval) implements Recurrence {

    private static final Duration MOST = Duration.ofHours(24);

    /// @throws VasaException (InvalidArgument) if the interval is out of range
    public Every {
      if (interval.compareTo(Duration.ofSeconds(1)) < 0
          || interval.compareTo(MOST) > 0
          || interval.getNano() != 0) {
        throw VasaException.invalidArgument(
            "expected an interval of whole seconds from PT1S to PT24H, got " + interval);
      }
    }

    @Override
    public Instant nextAfter(Instant after) {
      return latestAt(after).plus(interval);
    }

    @Override
    public Instant latestAt(Instant at) {
      long seconds = interval.toSeconds();
      return Instant.ofEpochSecond(Math.floorDiv(at.getEpochSecond(), seconds) * seconds);
    }

    @Override
    public boolean isOnTheClock() {
      return false;
    }

    @Override
    public Duration shortest() {
      return interval;
    }

    @Override
    public Duration longest() {
      return interval;
    }
  }

  /// A minute of every hour of UTC.
  ///
  /// @param minute 0 to 59
  record Hourly(int minute) implements Recurrence {

    private static final Duration HOUR = Duration.ofHours(1);

    /// @throws VasaException (InvalidArgument) if the minute is out of range
    public Hourly {
      if (minute < 0 || minute > 59) {
        throw VasaException.invalidArgument("expected a minute from 0 to 59, got " + minute);
      }
    }

    @Override
    public Instant nextAfter(Instant after) {
      return latestAt(after).plus(HOUR);
    }

    @Override
    public Instant latestAt(Instant at) {
      Instant moment = at.truncatedTo(ChronoUnit.HOURS).plus(Duration.ofMinutes(minute));
      return moment.isAfter(at) ? moment.minus(HOUR) : moment;
    }

    @Override
    public Duration shortest() {
      return HOUR;
    }

    @Override
    public Duration longest() {
      return HOUR;
    }
  }

  /// A local time of the days that it names.
  sealed interface TimeOfDay extends Recurrence {

    /// Hours and minutes.
    LocalTime at();

    ZoneId zone();

    /// Whether a date has a moment.
    boolean isNamed(LocalDate date);

    @Override
    default Instant nextAfter(Instant after) {
      return LocalMoments.of(this).nextAfter(after);
    }

    @Override
    default Instant latestAt(Instant moment) {
      return LocalMoments.of(this).latestAt(moment);
    }
  }

  /// A time of every day.
  ///
  /// @param at hours and minutes
  record Daily(LocalTime at, ZoneId zone) implements TimeOfDay {

    /// @throws VasaException (InvalidArgument) if the time has seconds
    public Daily {
      LocalMoments.checkMinutes(at);
    }

    @Override
    public boolean isNamed(LocalDate date) {
      return true;
    }

    @Override
    public Duration shortest() {
      return Duration.ofDays(1);
    }

    @Override
    public Duration longest() {
      return Duration.ofDays(1);
    }
  }

  /// A time of some days of the week.
  ///
  /// @param days at least one
  /// @param at hours and minutes
  record Weekly(Set<DayOfWeek> days, LocalTime at, ZoneId zone) implements TimeOfDay {

    private static final int WEEKS = 21; // days in which each distance occurs

    /// @throws VasaException (InvalidArgument) if there is no day, or the time has seconds
    public Weekly {
      days = Set.copyOf(days);
      if (days.isEmpty()) {
        throw VasaException.invalidArgument("expected at least one day of the week, got none");
      }
      LocalMoments.checkMinutes(at);
    }

    @Override
    public boolean isNamed(LocalDate date) {
      return days.contains(date.getDayOfWeek());
    }

    @Override
    public Duration shortest() {
      return LocalMoments.of(this).distances(WEEKS).shortest();
    }

    @Override
    public Duration longest() {
      return LocalMoments.of(this).distances(WEEKS).longest();
    }
  }

  /// A time of one day of some months. A month that lacks the day is left out.
  ///
  /// @param day 1 to 31, or [#LAST] for the last day
  /// @param months at least one
  /// @param at hours and minutes
  record Monthly(int day, Set<Month> months, LocalTime at, ZoneId zone) implements TimeOfDay {

    /// The last day of a month, whichever it is.
    public static final int LAST = 0;

    private static final int LEAST_DAYS = 28;
    private static final int YEAR_DAYS = 365;

    /// @throws VasaException (InvalidArgument) if the day is out of range or in none of the months,
    ///   there is no month, or the time has seconds
    public Monthly {
      months = Set.copyOf(months);
      if (day < LAST || day > 31) {
        throw VasaException.invalidArgument("expected a day from 1 to 31, or the last, got " + day);
      }
      if (months.isEmpty()) {
        throw VasaException.invalidArgument("expected at least one month, got none");
      }
      if (months.stream().allMatch(month -> day > month.maxLength())) {
        throw VasaException.invalidArgument(
            "expected a day that one of the months has, but day %d is in none of %s: it never comes"
                .formatted(
                    day,
                    months.stream().sorted().map(Month::name).collect(Collectors.joining(", "))));
      }
      LocalMoments.checkMinutes(at);
    }

    @Override
    public boolean isNamed(LocalDate date) {
      int wanted = day == LAST ? date.lengthOfMonth() : day;
      return date.getDayOfMonth() == wanted && months.contains(date.getMonth());
    }

    @Override
    public Duration shortest() {
      return Duration.ofDays(months.size() == 1 ? YEAR_DAYS : LEAST_DAYS);
    }

    @Override
    public Duration longest() {
      return LocalMoments.of(this).distances(2 * LocalMoments.SEARCHED_DAYS).longest();
    }
  }
}

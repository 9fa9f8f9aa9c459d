package io.coppice.vasa.protection.rule;

import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Predicate;

/// The moments of a local time on chosen dates, as [Recurrence] defines them where clocks change.
///
/// @param dates chooses at least one date of any nine years
record LocalMoments(LocalTime at, ZoneId zone, Predicate<LocalDate> dates) {

  /// Days that are searched. 29 February comes every eight years at the turn of most centuries.
  static final int SEARCHED_DAYS = 9 * 366;

  private static final LocalDate LONG_AGO = LocalDate.of(1896, 1, 1); // 1900 is no leap year

  static LocalMoments of(Recurrence.TimeOfDay recurrence) {
    return new LocalMoments(recurrence.at(), recurrence.zone(), recurrence::isNamed);
  }

  static void checkMinutes(LocalTime at) {
    if (!at.truncatedTo(ChronoUnit.MINUTES).equals(at)) {
      throw VasaException.invalidArgument("expected a time of hours and minutes, got " + at);
    }
  }

  /// Moments do not go back from one date to the next, so the first one that is late enough is the
  /// one. A zone may leave a day out, so the search begins a day early.
  Instant nextAfter(Instant after) {
    LocalDate first = after.atZone(zone).toLocalDate().minusDays(1);
    for (int day = 0; day < SEARCHED_DAYS; day++) {
      LocalDate date = first.plusDays(day);
      if (dates.test(date) && on(date).isAfter(after)) {
        return on(date);
      }
    }
    throw new IllegalStateException("no date after %s is named".formatted(after));
  }

  Instant latestAt(Instant moment) {
    LocalDate last = moment.atZone(zone).toLocalDate().plusDays(1);
    for (int day = 0; day < SEARCHED_DAYS; day++) {
      LocalDate date = last.minusDays(day);
      if (dates.test(date) && !on(date).isAfter(moment)) {
        return on(date);
      }
    }
    throw new IllegalStateException("no date before %s is named".formatted(moment));
  }

  private Instant on(LocalDate date) {
    LocalDateTime local = date.atTime(at);
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    return offsets.isEmpty()
        ? zone.getRules().getTransition(local).getInstant()
        : local.toInstant(offsets.getFirst());
  }

  /// Distances between neighbouring dates.
  record Distances(Duration shortest, Duration longest) {}

  /// @param days how many days are looked at; at least two named dates are among them
  Distances distances(int days) {
    long shortest = Long.MAX_VALUE;
    long longest = 0;
    LocalDate before = LocalDate.MIN;
    for (int day = 0; day < days; day++) {
      LocalDate date = LONG_AGO.plusDays(day);
      if (dates.test(date)) {
        if (!before.equals(LocalDate.MIN)) {
          long apart = ChronoUnit.DAYS.between(before, date);
          shortest = Math.min(shortest, apart);
          longest = Math.max(longest, apart);
        }
        before = date;
      }
    }
    return new Distances(Duration.ofDays(shortest), Duration.ofDays(longest));
  }
}

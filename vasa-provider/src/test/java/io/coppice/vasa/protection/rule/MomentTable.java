package io.coppice.vasa.protection.rule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;

/// A model of the moments that rules name, by brute force: it looks at every minute of a time and
/// asks whether a rule names it. It goes from moments to local times, and the code the other way.
public final class MomentTable {

  private static final Duration LONGEST_GAP = Duration.ofHours(3);

  private final Instant begin;
  private final int[] named;

  /// @param begin a whole minute
  public MomentTable(ProtectionRules rules, Instant begin, Duration time) {
    this.begin = begin;
    this.named = new int[(int) time.toMinutes() + 1];
    for (int minute = 0; minute < named.length; minute++) {
      for (int rule = 0; rule < rules.rules().size(); rule++) {
        if (isNamed(rules.rules().get(rule).recurrence(), begin.plusSeconds(60L * minute))) {
          named[minute] |= 1 << rule;
        }
      }
    }
  }

  /// The rules with a moment after `from` and not after `to`, as bits.
  public int between(Instant from, Instant to) {
    int bits = 0;
    for (long minute = Math.floorDiv(Duration.between(begin, from).toSeconds(), 60L) + 1;
        !begin.plusSeconds(60 * minute).isAfter(to);
        minute++) {
      bits |= named[(int) minute];
    }
    return bits;
  }

  private static boolean isNamed(Recurrence recurrence, Instant minute) {
    return switch (recurrence) {
      case Recurrence.Every(Duration interval) ->
          minute.getEpochSecond() % interval.toSeconds() == 0;
      case Recurrence.Hourly(int at) -> minute.getEpochSecond() / 60 % 60 == at;
      case Recurrence.Daily daily -> isNamed(daily.zone(), daily.at(), daily, minute);
      case Recurrence.Weekly weekly -> isNamed(weekly.zone(), weekly.at(), weekly, minute);
      case Recurrence.Monthly monthly -> isNamed(monthly.zone(), monthly.at(), monthly, minute);
    };
  }

  private static boolean isNamed(ZoneId zone, LocalTime at, Recurrence dates, Instant minute) {
    LocalDateTime local = LocalDateTime.ofInstant(minute, zone);
    LocalDateTime first = LocalDateTime.ofInstant(minute.minusSeconds(60), zone).plusMinutes(1);
    for (LocalDateTime skipped = first; !skipped.isAfter(local); skipped = skipped.plusMinutes(1)) {
      if (skipped.toLocalTime().equals(at)
          && isNamed(skipped, dates)
          && !cameBefore(skipped, minute, zone)) {
        return true;
      }
    }
    return !first.isBefore(local)
        && local.toLocalTime().equals(at)
        && isNamed(local, dates)
        && !cameBefore(local, minute, zone);
  }

  private static boolean cameBefore(LocalDateTime local, Instant minute, ZoneId zone) {
    for (int before = 1; before <= LONGEST_GAP.toMinutes(); before++) {
      if (LocalDateTime.ofInstant(minute.minusSeconds(60L * before), zone).equals(local)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNamed(LocalDateTime local, Recurrence dates) {
    return switch (dates) {
      case Recurrence.Weekly weekly -> weekly.days().contains(local.getDayOfWeek());
      case Recurrence.Monthly monthly ->
          monthly.months().contains(local.getMonth())
              && local.getDayOfMonth()
                  == (monthly.day() == Recurrence.Monthly.LAST
                      ? YearMonth.from(local).lengthOfMonth()
                      : monthly.day());
      default -> true;
    };
  }
}

package io.coppice.vasa.replication.runbook;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.rule.Recurrence;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// The times at which a runbook is tested by itself.
///
/// @param at hours and minutes
/// @param days of the week; none for each day
public record TestSchedule(LocalTime at, ZoneId zone, SortedSet<DayOfWeek> days) {

  /// @throws VasaException (InvalidArgument) if the time has seconds
  public TestSchedule {
    days = Collections.unmodifiableSortedSet(new TreeSet<>(days));
    var _ = new Recurrence.Daily(at, zone); // which refuses seconds
  }

  /// The same in the form of rules, which says what changes of clocks mean.
  Recurrence recurrence() {
    return days.isEmpty() ? new Recurrence.Daily(at, zone) : new Recurrence.Weekly(days, at, zone);
  }

  /// The first of the times after a moment.
  public Instant nextAfter(Instant moment) {
    return recurrence().nextAfter(moment);
  }
}

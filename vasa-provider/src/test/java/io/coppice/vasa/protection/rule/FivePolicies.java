package io.coppice.vasa.protection.rule;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Five sets of rules of all kinds, with zones that change their offset at different times, some of
/// them in the midst of what a rule names.
public final class FivePolicies {

  public static final List<ProtectionRules> ALL =
      List.of(
          new ProtectionRules(
              List.of(
                  rule("quarter", every("PT15M"), newest(24)),
                  rule("hour", new Recurrence.Hourly(0), newest(24)),
                  rule("day", daily("02:30", "Europe/Berlin"), younger("P7D")),
                  rule("week", weekly("03:00", "Europe/Berlin", DayOfWeek.SUNDAY), newest(4)),
                  rule("month", monthly(Recurrence.Monthly.LAST, "23:59"), newest(12)))),
          new ProtectionRules(
              List.of(
                  rule("half", every("PT30M"), younger("PT6H")),
                  rule("day", daily("01:30", "America/New_York"), newest(5)))),
          new ProtectionRules(
              List.of(
                  rule("hour", new Recurrence.Hourly(45), younger("P2D")),
                  rule(
                      "work",
                      new Recurrence.Weekly(
                          EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY),
                          LocalTime.parse("18:00"),
                          ZoneId.of("Asia/Kolkata")),
                      newest(10)),
                  rule("month", monthly(1, "00:00"), younger("P62D")))),
          new ProtectionRules(
              List.of(
                  rule("gap", daily("02:15", "Australia/Lord_Howe"), newest(3)),
                  rule("twice", daily("01:45", "Australia/Lord_Howe"), newest(9)),
                  rule("berlin", daily("02:00", "Europe/Berlin"), younger("P10D")))),
          new ProtectionRules(
              List.of(
                  rule("hour", every("PT1H"), newest(48)),
                  rule("midnight", daily("00:00", "Africa/Cairo"), newest(7)))));

  private static ProtectionRule rule(String name, Recurrence recurrence, Keeping keeping) {
    return new ProtectionRule(name, recurrence, keeping, PointNaming.USUAL);
  }

  private static Recurrence every(String interval) {
    return new Recurrence.Every(Duration.parse(interval));
  }

  private static Recurrence daily(String at, String zone) {
    return new Recurrence.Daily(LocalTime.parse(at), ZoneId.of(zone));
  }

  private static Recurrence weekly(String at, String zone, DayOfWeek day) {
    return new Recurrence.Weekly(Set.of(day), LocalTime.parse(at), ZoneId.of(zone));
  }

  private static Recurrence monthly(int day, String at) {
    return new Recurrence.Monthly(
        day, EnumSet.allOf(Month.class), LocalTime.parse(at), ZoneId.of("Europe/Berlin"));
  }

  private static Keeping newest(int count) {
    return new Keeping.Newest(count);
  }

  private static Keeping younger(String time) {
    return new Keeping.Younger(Duration.parse(time));
  }

  private FivePolicies() {}
}

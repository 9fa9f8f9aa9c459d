package io.coppice.vasa.protection.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.vasa.fault.VasaException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtectionRulesTest {

  private static final Instant NOON = Instant.parse("2027-05-03T12:00:00Z");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final RuleLimits LIMITS = new RuleLimits(3, Duration.ofMinutes(1), 100);
  private static final Recurrence FIVE = new Recurrence.Every(Duration.ofMinutes(5));
  private static final Recurrence TWO_AT_NIGHT = new Recurrence.Daily(LocalTime.of(2, 0), BERLIN);

  private static ProtectionRule rule(String name, Recurrence recurrence, Keeping keeping) {
    return new ProtectionRule(name, recurrence, keeping, PointNaming.USUAL);
  }

  private static ProtectionRules rules(Recurrence... recurrences) {
    List<ProtectionRule> rules = new ArrayList<>();
    for (Recurrence recurrence : recurrences) {
      rules.add(rule("r" + rules.size(), recurrence, new Keeping.Newest(2)));
    }
    return new ProtectionRules(rules);
  }

  private static ClockReading at(Instant both) {
    return new ClockReading(both, both);
  }

  private static Recurrence monthly(int day, Month... months) {
    return new Recurrence.Monthly(day, Set.of(months), LocalTime.of(2, 0), BERLIN);
  }

  @ParameterizedTest
  @CsvSource({
    "2027-03-27T12:00:00Z, 02:30, 2027-03-28T01:00:00Z", // the gap from 02:00 to 03:00
    "2027-03-28T01:00:00Z, 02:30, 2027-03-29T00:30:00Z",
    "2027-10-30T12:00:00Z, 02:30, 2027-10-31T00:30:00Z", // the first of the two
    "2027-10-31T00:30:00Z, 02:30, 2027-11-01T01:30:00Z",
    "2027-10-31T01:15:00Z, 02:30, 2027-11-01T01:30:00Z"
  })
  void localTimesInGapsAreTakenAtTheirEndAndRepeatedOnesOnce(
      Instant after, LocalTime at, Instant next) {
    Recurrence daily = new Recurrence.Daily(at, BERLIN);

    assertThat(daily.nextAfter(after)).isEqualTo(next);
    assertThat(daily.latestAt(next)).isEqualTo(next);
    assertThat(daily.latestAt(next.minusNanos(1))).isBeforeOrEqualTo(after);
  }

  @Test
  void dayThatAZoneLeftOutIsTakenAtTheEndOfTheGap() {
    Recurrence daily = new Recurrence.Daily(LocalTime.of(9, 0), ZoneId.of("Pacific/Apia"));
    Instant gapEnd = Instant.parse("2011-12-30T10:00:00Z"); // 31 December, 00:00

    assertThat(daily.nextAfter(Instant.parse("2011-12-30T09:00:00Z"))).isEqualTo(gapEnd);
    assertThat(daily.nextAfter(gapEnd)).isEqualTo(Instant.parse("2011-12-30T19:00:00Z"));
  }

  @Test
  void dayThatMonthsLackIsLeftOut() {
    Recurrence last =
        new Recurrence.Monthly(
            Recurrence.Monthly.LAST, EnumSet.allOf(Month.class), LocalTime.NOON, BERLIN);

    assertThat(
            new Recurrence.Monthly(31, EnumSet.allOf(Month.class), LocalTime.NOON, BERLIN)
                .nextAfter(Instant.parse("2027-03-31T12:00:00Z")))
        .isEqualTo("2027-05-31T10:00:00Z");
    assertThat(last.nextAfter(Instant.parse("2028-02-01T00:00:00Z")))
        .isEqualTo("2028-02-29T11:00:00Z");
    assertThat(monthly(29, Month.FEBRUARY).nextAfter(Instant.parse("2096-03-01T00:00:00Z")))
        .isEqualTo("2104-02-29T01:00:00Z");
    assertThat(monthly(29, Month.FEBRUARY).latestAt(Instant.parse("2104-01-01T00:00:00Z")))
        .isEqualTo("2096-02-29T01:00:00Z");
  }

  @Test
  void pointThatSeveralRulesWantIsOne() {
    ProtectionRules rules = rules(FIVE, new Recurrence.Hourly(0), TWO_AT_NIGHT);
    Instant two = Instant.parse("2027-05-04T00:00:00Z");

    List<ProtectionRule> due = rules.due(at(two.minusSeconds(299)), at(two));

    assertThat(due).extracting(ProtectionRule::name).containsExactly("r0", "r1", "r2");
    assertThat(rules.due(at(two), at(two.plusSeconds(299)))).isEmpty();
  }

  @Test
  void outageOfDaysIsMadeUpForByOnePoint() {
    ProtectionRules rules = rules(FIVE, TWO_AT_NIGHT);
    ClockReading back =
        new ClockReading(NOON.plus(Duration.ofHours(24)), NOON.plus(Duration.ofDays(9)));

    assertThat(rules.due(at(NOON), back)).hasSize(2);
    assertThat(rules.due(back, back)).isEmpty();
  }

  @Test
  void timeOfDayIsThatOfTheClockAlsoAfterALongOutage() {
    ProtectionRules rules = rules(TWO_AT_NIGHT);
    ClockReading handled = new ClockReading(NOON, NOON.plus(Duration.ofHours(6)));

    assertThat(rules.next(handled, handled)).contains(Instant.parse("2027-05-04T00:00:00Z"));
    assertThat(
            rules.due(
                handled,
                new ClockReading(
                    NOON.plus(Duration.ofHours(6)), Instant.parse("2027-05-04T00:00:00Z"))))
        .hasSize(1);
  }

  @Test
  void clockThatGoesBackALittleRepeatsNothing() {
    ProtectionRules rules = rules(TWO_AT_NIGHT);
    Instant two = Instant.parse("2027-05-04T00:00:00Z");
    ClockReading back = new ClockReading(two.plusSeconds(60), two.minusSeconds(3000));

    assertThat(ProtectionRules.anchor(at(two), back)).isEqualTo(at(two));
    assertThat(rules.due(at(two), at(two.plusSeconds(1)))).isEmpty();
  }

  @Test
  void clockThatGoesBackFarLetsNoPointWait() {
    ProtectionRules rules = rules(TWO_AT_NIGHT);
    ClockReading back = new ClockReading(NOON.plusSeconds(60), NOON.minus(Duration.ofDays(400)));

    ClockReading anchor = ProtectionRules.anchor(at(NOON), back);

    assertThat(anchor).isEqualTo(new ClockReading(NOON, back.clock()));
    assertThat(rules.due(anchor, back)).isEmpty();
    Instant night = rules.next(anchor, back).orElseThrow();
    assertThat(Duration.between(back.clock(), night)).isLessThan(Duration.ofDays(1));
    assertThat(
            rules.due(
                anchor,
                new ClockReading(back.passed().plus(Duration.between(back.clock(), night)), night)))
        .hasSize(1);
  }

  @Test
  void clockThatLeapsMakesAPointDueAnHourAfterTheLastOne() {
    ProtectionRules rules = rules(TWO_AT_NIGHT);
    Instant leapt = NOON.plus(Duration.ofDays(30));

    assertThat(rules.due(at(NOON), new ClockReading(NOON.plusSeconds(3599), leapt))).isEmpty();
    assertThat(rules.due(at(NOON), new ClockReading(NOON.plusSeconds(3600), leapt))).hasSize(1);
  }

  @Test
  void pointIsKeptWhileOneOfItsRulesKeepsIt() {
    ProtectionRules rules =
        new ProtectionRules(
            List.of(
                rule("often", FIVE, new Keeping.Newest(2)),
                rule("day", TWO_AT_NIGHT, new Keeping.Younger(Duration.ofDays(2)))));
    RecoveryPoint both = new RecoveryPoint(new UUID(0, 1), NOON, Set.of("often", "day"));
    RecoveryPoint often1 =
        new RecoveryPoint(new UUID(0, 2), NOON.plusSeconds(300), Set.of("often"));
    RecoveryPoint often2 =
        new RecoveryPoint(new UUID(0, 3), NOON.plusSeconds(600), Set.of("often"));
    RecoveryPoint often3 =
        new RecoveryPoint(new UUID(0, 4), NOON.plusSeconds(900), Set.of("often"));
    RecoveryPoint day =
        new RecoveryPoint(new UUID(0, 5), NOON.plus(Duration.ofDays(1)), Set.of("day"));
    List<RecoveryPoint> points = List.of(day, often3, both, often1, often2);

    assertThat(rules.expired(points, NOON.plus(Duration.ofDays(2)).minusSeconds(1)))
        .containsExactly(often1);
    assertThat(rules.expired(points, NOON.plus(Duration.ofDays(2)))).containsExactly(both, often1);
  }

  @Test
  void youngestPointOfARuleNeverExpires() {
    ProtectionRules rules =
        new ProtectionRules(
            List.of(rule("day", TWO_AT_NIGHT, new Keeping.Younger(Duration.ofDays(1)))));
    RecoveryPoint old = new RecoveryPoint(new UUID(0, 1), NOON, Set.of("day"));

    assertThat(rules.expired(List.of(old), NOON.plus(Duration.ofDays(3650)))).isEmpty();
  }

  @Test
  void rulesLeaveForeignPointsAlone() {
    ProtectionRules rules = rules(FIVE);
    List<RecoveryPoint> points =
        List.of(
            new RecoveryPoint(new UUID(0, 1), NOON, Set.of()),
            new RecoveryPoint(new UUID(0, 2), NOON, Set.of("gone")),
            new RecoveryPoint(new UUID(0, 3), NOON, Set.of("gone", "r0")),
            new RecoveryPoint(new UUID(0, 4), NOON.plusSeconds(1), Set.of("r0")),
            new RecoveryPoint(new UUID(0, 5), NOON.plusSeconds(2), Set.of("r0")));

    assertThat(rules.expired(points, NOON.plus(Duration.ofDays(100)))).isEmpty();
  }

  @Test
  void namesTellPolicyRuleAndLocalTime() {
    ProtectionRule rule =
        new ProtectionRule(
            "night",
            TWO_AT_NIGHT,
            new Keeping.Newest(1),
            new PointNaming("{policy}/{rule} of {date}, {time}"));

    assertThat(rule.nameOf("gold $1", Instant.parse("2027-05-03T22:30:05.9Z")))
        .isEqualTo("gold $1/night of 2027-05-04, 00:30:05");
  }

  @Test
  void ruleThatNeverFiresIsRefused() {
    assertThatThrownBy(() -> monthly(31, Month.FEBRUARY))
        .isInstanceOf(VasaException.class)
        .hasMessage(
            "expected a day that one of the months has, but day 31 is in none of FEBRUARY: it never"
                + " comes");
    assertThatThrownBy(() -> monthly(31, Month.APRIL, Month.JUNE))
        .hasMessageContaining("in none of APRIL, JUNE");
    assertThat(monthly(31, Month.FEBRUARY, Month.MARCH).longest()).hasDays(365 + 1);
  }

  @Test
  void ruleThatCannotBeKeptIsRefused() {
    Keeping day = new Keeping.Younger(Duration.ofDays(1));

    assertThatThrownBy(() -> rule("weekly", weekly(DayOfWeek.MONDAY), day))
        .hasMessage(
            "expected rule 'weekly' to keep its points for at least the P7D between two of them,"
                + " got P1D");
    assertThatThrownBy(() -> rule("w", weekly(DayOfWeek.MONDAY, DayOfWeek.TUESDAY), day))
        .hasMessageContaining("the P6D between");
    assertThatThrownBy(() -> rule("m", monthly(1, Month.values()), day))
        .hasMessageContaining("the P31D between");
    assertThat(rule("d", TWO_AT_NIGHT, day).keeping()).isEqualTo(day);
  }

  private static Recurrence weekly(DayOfWeek... days) {
    return new Recurrence.Weekly(Set.of(days), LocalTime.of(2, 0), BERLIN);
  }

  @Test
  void rulesBeyondTheLimitsAreRefused() {
    assertThatThrownBy(() -> rules(FIVE, FIVE, FIVE, FIVE).check(LIMITS))
        .hasMessage("expected at most 3 rules, got 4");
    assertThatThrownBy(() -> rules(new Recurrence.Every(Duration.ofSeconds(59))).check(LIMITS))
        .hasMessage("expected an interval of rule 'r0' of at least PT1M, got PT59S");
    ProtectionRules many =
        new ProtectionRules(
            List.of(
                rule("a", FIVE, new Keeping.Younger(Duration.ofHours(8))),
                rule("b", FIVE, new Keeping.Newest(Integer.MAX_VALUE))));
    assertThatThrownBy(() -> many.check(LIMITS))
        .hasMessage("expected rules that keep at most 100 points, but these keep about 2147483744");
    rules(FIVE, TWO_AT_NIGHT).check(LIMITS);
  }

  @Test
  void withoutRulesNothingIsDueAndNothingExpires() {
    ProtectionRules none = new ProtectionRules(List.of());
    ClockReading begin = new ClockReading(Instant.EPOCH, Instant.EPOCH);
    Instant later = Instant.EPOCH.plus(Duration.ofDays(9));
    ClockReading now = new ClockReading(later, later);
    RecoveryPoint demanded = new RecoveryPoint(UUID.randomUUID(), Instant.EPOCH, Set.of());
    RecoveryPoint former = new RecoveryPoint(UUID.randomUUID(), Instant.EPOCH, Set.of("day"));

    none.check(LIMITS);

    assertThat(none.due(begin, now)).isEmpty();
    assertThat(none.next(begin, now)).isEmpty();
    assertThat(none.expired(List.of(demanded, former), later)).isEmpty();
    assertThat(none.longestGap()).isEmpty();
    assertThat(none.kept()).isZero();
    assertThat(none.locked()).isZero();
  }

  @Test
  void repeatedRulesAreRefused() {
    ProtectionRule one = rule("a", FIVE, new Keeping.Newest(1));
    assertThatThrownBy(() -> new ProtectionRules(List.of(one, one)))
        .hasMessage("expected each rule name once, got 'a' twice");
  }

  @Test
  void valuesOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new Recurrence.Every(Duration.ZERO)).hasMessageContaining("got PT0S");
    assertThatThrownBy(() -> new Recurrence.Every(Duration.ofHours(25)))
        .hasMessageContaining("from PT1S to PT24H, got PT25H");
    assertThatThrownBy(() -> new Recurrence.Every(Duration.ofMillis(1500)))
        .hasMessageContaining("got PT1.5S");
    assertThatThrownBy(() -> new Recurrence.Hourly(60)).hasMessageContaining("0 to 59, got 60");
    assertThatThrownBy(() -> new Recurrence.Daily(LocalTime.of(1, 2, 3), BERLIN))
        .hasMessageContaining("hours and minutes, got 01:02:03");
    assertThatThrownBy(() -> weekly()).hasMessageContaining("day of the week, got none");
    assertThatThrownBy(() -> monthly(1)).hasMessageContaining("one month, got none");
    assertThatThrownBy(() -> monthly(32, Month.MAY)).hasMessageContaining("got 32");
    assertThatThrownBy(() -> monthly(-1, Month.MAY)).hasMessageContaining("got -1");
    assertThatThrownBy(() -> new Keeping.Newest(0)).hasMessageContaining("got 0");
    assertThatThrownBy(() -> new Keeping.Younger(Duration.ZERO)).hasMessageContaining("got PT0S");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "ä", "{x}", "abcdefghijklmnopqrstuvwxyz0123456"})
  void malformedRuleNamesAreRefused(String name) {
    assertThatThrownBy(() -> rule(name, FIVE, new Keeping.Newest(1)))
        .isInstanceOf(VasaException.class)
        .hasMessageContaining("expected a rule name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "{vm}", "{date", "date}", "{}", "{{date}}", "a\nb", "{DATE}"})
  void badPatternsAreRefused(String pattern) {
    assertThatThrownBy(() -> new PointNaming(pattern))
        .isInstanceOf(VasaException.class)
        .hasMessageStartingWith("expected");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Europe/Berlim", "europe/berlin", "+25:00", "a b"})
  void unknownZonesAreRefused(String zone) {
    assertThatThrownBy(() -> ZoneNames.parse(zone))
        .isInstanceOf(VasaException.class)
        .hasMessage("expected a time zone such as Europe/Berlin or UTC, got '%s'", zone);
    assertThat(ZoneNames.parse("Europe/Berlin")).isEqualTo(BERLIN);
  }
}

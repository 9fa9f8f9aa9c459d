package io.coppice.vasa.protection.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.PoolRecords;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.testing.TestClock;
import io.coppice.vasa.time.ClockSettings;
import io.coppice.vasa.time.SeenTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Four weeks of 50 machines under five protection policies on a clock of the test, compared at
/// each hour with a model that finds moments by brute force ([MomentTable]) and judges all points
/// that were ever taken.
class ProtectedWeeksTest {

  private static final int MACHINES = 50;
  private static final Duration FOUR_WEEKS = Duration.ofDays(28);
  private static final ClockSettings CLOCK =
      new ClockSettings(Duration.ofMinutes(1), Duration.ofHours(24));

  private static final List<RecoveryPoint> NONE = List.of();

  private static ProtectionRule rule(String name, Recurrence recurrence, Keeping keeping) {
    return new ProtectionRule(name, recurrence, keeping, PointNaming.USUAL);
  }

  private static Recurrence every(String interval) {
    return new Recurrence.Every(Duration.parse(interval));
  }

  private static Recurrence daily(String at, String zone) {
    return new Recurrence.Daily(LocalTime.parse(at), ZoneId.of(zone));
  }

  private static Keeping newest(int count) {
    return new Keeping.Newest(count);
  }

  /// A machine as the code protects it, beside the model of its points.
  private static final class Machine {
    private final ProtectionRules rules;
    private final PointModel model;
    private final List<RecoveryPoint> points = new ArrayList<>();
    private ClockReading handled;
    private Instant next;

    Machine(ProtectionRules rules, MomentTable moments, Instant begin) {
      this.rules = rules;
      this.model = new PointModel(rules, moments, begin);
      this.handled = new ClockReading(begin, begin);
      this.next = rules.next(handled, handled).orElseThrow();
    }

    void look(ClockReading now) {
      model.look(now.clock());
      if (!now.clock().isBefore(next)) {
        List<ProtectionRule> due = rules.due(handled, now);
        points.add(
            new RecoveryPoint(
                UUID.randomUUID(),
                now.passed(),
                due.stream().map(ProtectionRule::name).collect(Collectors.toSet())));
        handled = now;
        next = rules.next(handled, now).orElseThrow();
        expire(now);
      }
    }

    void expire(ClockReading now) {
      points.removeAll(rules.expired(points, now.passed()));
    }

    List<Instant> kept() {
      return points.stream().map(RecoveryPoint::taken).toList();
    }
  }

  private static TestClock clockAt(Instant begin) {
    TestClock clock = new TestClock();
    clock.jump(Duration.between(clock.instant(), begin));
    return clock;
  }

  private static ClockReading reading(SeenTime time, TestClock clock) {
    return new ClockReading(time.now(), clock.instant());
  }

  @ParameterizedTest
  @CsvSource({
    "2027-03-08T00:00:00Z, 0", // New York and Berlin go forward, Lord Howe goes back
    "2027-10-18T00:00:00Z, 12" // Berlin, Cairo and New York go back
  })
  void pointsAreThoseThatTheRulesName(Instant begin, int outages) {
    long seed = Long.getLong("test.seed", 61);
    Random random = new Random(seed);
    TestClock clock = clockAt(begin);
    PoolRecords records = new MemoryEngine().records();
    SeenTime time = new SeenTime(records, clock, clock::nanos, CLOCK);
    List<MomentTable> tables =
        FivePolicies.ALL.stream()
            .map(rules -> new MomentTable(rules, begin, FOUR_WEEKS.plusDays(2)))
            .toList();
    List<Machine> machines = new ArrayList<>();
    for (int i = 0; i < MACHINES; i++) {
      int policy = i % FivePolicies.ALL.size();
      machines.add(
          new Machine(
              FivePolicies.ALL.get(policy), tables.get(policy), begin.plusSeconds(97L * i)));
    }
    int compared = 0;
    Instant nextHour = begin;
    double outageChance = outages * 180 / (double) FOUR_WEEKS.toSeconds();

    while (clock.instant().isBefore(begin.plus(FOUR_WEEKS))) {
      if (random.nextDouble() < outageChance) {
        clock.advance(Duration.ofSeconds(60 + random.nextInt(23 * 3600)));
        time = new SeenTime(records, clock, clock::nanos, CLOCK);
      } else {
        clock.advance(Duration.ofSeconds(30 + random.nextInt(300)));
      }
      time.keep();
      ClockReading now = reading(time, clock);
      for (Machine machine : machines) {
        if (now.clock().isAfter(machine.model.lastLook())) {
          machine.look(now);
        }
      }
      if (!now.clock().isBefore(nextHour)) {
        nextHour = now.clock().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1));
        compared++;
        for (Machine machine : machines) {
          machine.expire(now);
          assertThat(machine.kept())
              .as("at %s, seed %d", now.clock(), seed)
              .isEqualTo(machine.model.kept(now.passed()));
        }
      }
    }

    assertThat(compared).isGreaterThan(outages == 0 ? 600 : 150);
    assertThat(machines).allSatisfy(machine -> assertThat(machine.kept()).isNotEmpty());
  }

  @Test
  void jumpsOfTheClockNeitherTakeTooManyPointsNorGiveAnyUpEarly() {
    long seed = Long.getLong("test.seed", 62);
    Random random = new Random(seed);
    TestClock clock = clockAt(Instant.parse("2027-01-04T00:00:00Z"));
    SeenTime time = new SeenTime(new MemoryEngine().records(), clock, clock::nanos, CLOCK);
    ProtectionRules rules =
        new ProtectionRules(
            List.of(
                rule("day", daily("02:00", "Europe/Berlin"), newest(5)),
                rule("half", every("PT12H"), newest(4))));
    List<RecoveryPoint> points = new ArrayList<>();
    ClockReading handled = reading(time, clock);
    Instant begin = handled.passed();
    int ofTheDay = 0;
    int ofTheHalf = 0;

    for (int minute = 1; minute <= FOUR_WEEKS.toMinutes(); minute++) {
      clock.advance(Duration.ofMinutes(1));
      if (minute % 7 == 0) { // to and fro, by up to a year
        clock.jump(Duration.ofMinutes(random.nextInt(1_051_200) - 525_600));
      }
      ClockReading now = reading(time, clock);
      handled = ProtectionRules.anchor(handled, now);
      List<ProtectionRule> due = rules.due(handled, now);
      if (!due.isEmpty()) {
        Set<String> names = due.stream().map(ProtectionRule::name).collect(Collectors.toSet());
        points.add(new RecoveryPoint(new UUID(0, minute), now.passed(), names));
        ofTheDay += names.contains("day") ? 1 : 0;
        ofTheHalf += names.contains("half") ? 1 : 0;
        handled = now;
      }
      boolean looks = minute % 10 == 0;
      for (RecoveryPoint gone : looks ? rules.expired(points, now.passed()) : NONE) {
        Duration age = Duration.between(gone.taken(), now.passed());
        assertThat(age)
            .as("seed %d", seed)
            .isGreaterThanOrEqualTo(
                gone.rules().contains("day") ? Duration.ofHours(4 * 24 - 1) : Duration.ofDays(2));
        points.remove(gone);
      }
    }

    assertThat(ofTheHalf).isEqualTo(56);
    assertThat(ofTheDay).isBetween(28, (int) FOUR_WEEKS.toHours() + 1);
    assertThat(Duration.between(begin, points.getLast().taken()))
        .isGreaterThan(Duration.ofDays(27));
  }
}

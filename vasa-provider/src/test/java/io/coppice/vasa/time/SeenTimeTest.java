package io.coppice.vasa.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SeenTimeTest {

  private static final Duration DAY = Duration.ofDays(1);
  private static final ClockSettings SETTINGS =
      new ClockSettings(Duration.ofMinutes(1), Duration.ofHours(24));

  private final TestClock clock = new TestClock();
  private final PoolRecords records = new MemoryEngine().records();
  private SeenTime time = opened();

  private SeenTime opened() {
    return new SeenTime(records, clock, clock::nanos, SETTINGS);
  }

  @Test
  void clockThatGoesEvenlyIsTheTime() {
    clock.advance(DAY.multipliedBy(100));

    assertThat(time.now()).isEqualTo(clock.instant());
    assertThat(time.sawEvenClockFor(DAY.multipliedBy(1000))).isTrue();
    assertThat(time.takeNews()).isEmpty();
  }

  @Test
  void smallCorrectionsAreFollowed() {
    clock.jump(Duration.ofSeconds(30));
    assertThat(time.now()).isEqualTo(clock.instant());

    clock.jump(Duration.ofSeconds(-59));

    assertThat(time.now()).isEqualTo(clock.instant());
    assertThat(time.takeNews()).isEmpty();
  }

  @Test
  void manySmallStepsAreAJump() {
    Instant start = time.now();

    for (int step = 0; step < 100; step++) {
      clock.jump(Duration.ofSeconds(50));
      clock.advance(Duration.ofSeconds(1));
      time.now();
    }

    assertThat(Duration.between(start, time.now())).isLessThan(Duration.ofMinutes(5));
    assertThat(time.takeNews()).isNotEmpty();
  }

  @Test
  void jumpIsToldOfOnceAndMovesNothing() {
    Instant before = time.now();

    clock.jump(DAY);
    clock.advance(Duration.ofMinutes(5));

    assertThat(time.now()).isEqualTo(before.plus(Duration.ofMinutes(5)));
    assertThat(time.takeNews()).extracting(ClockJump::by).containsExactly(DAY);
    assertThat(time.takeNews()).isEmpty();
    assertThat(time.ahead()).isEqualTo(DAY);
    assertThat(time.onTheClock(time.now())).isEqualTo(clock.instant());
    assertThat(time.sawEvenClockFor(Duration.ofMinutes(6))).isFalse();
    clock.advance(Duration.ofMinutes(10));
    assertThat(time.sawEvenClockFor(Duration.ofMinutes(6))).isTrue();
  }

  @Test
  void outageCountsUpToItsBound() {
    time.keep();
    clock.advance(Duration.ofHours(20));
    time = opened();
    assertThat(time.now()).isEqualTo(clock.instant());
    assertThat(time.takeNews()).isEmpty();
    Instant before = time.now();
    time.keep();

    clock.advance(DAY.multipliedBy(30));
    time = opened();

    assertThat(time.now()).isEqualTo(before.plus(DAY));
    assertThat(time.takeNews()).extracting(ClockJump::by).containsExactly(DAY.multipliedBy(29));
  }

  @Test
  void clockBehindTheLastTimeSeenGoesOnFromThere() {
    Instant before = time.now();
    time.keep();

    clock.jump(DAY.negated());
    time = opened();

    assertThat(time.now()).isEqualTo(before);
    time.keep();
    clock.jump(DAY);
    clock.advance(Duration.ofHours(1));
    time = opened();
    assertThat(time.now()).as("set right").isBetween(before, before.plus(DAY));
  }

  @Test
  void jumpIsRememberedAcrossARestart() {
    clock.jump(DAY);
    time.now();
    time.keep();

    time = opened();

    assertThat(time.ahead()).isEqualTo(DAY);
    assertThat(time.sawEvenClockFor(Duration.ofHours(1))).isFalse();
    assertThat(time.takeNews()).isEmpty();
  }

  @Test
  void timeIsKeptOnceAMinuteAndAtOnceAfterAJump() {
    time.keep();
    String first = records.find(SeenTime.RECORD).orElseThrow();
    clock.advance(Duration.ofSeconds(59));
    time.keep();
    assertThat(records.find(SeenTime.RECORD)).contains(first);

    clock.jump(DAY);
    time.keep();

    assertThat(records.find(SeenTime.RECORD).orElseThrow()).isNotEqualTo(first);
  }

  @Test
  void recordThatDoesNotReadCountsAsUnknown() {
    for (String text : List.of("", "1", "2 a b c", "1 x y -", "1 2026-01-01T00:00:00Z - -")) {
      records.apply(OperationId.random(), List.of(new RecordChange.Put(SeenTime.RECORD, text)));

      assertThat(opened().now()).isEqualTo(clock.instant());
    }
  }

  @Test
  void whateverTheClockDoesThisTimeIsWhatPassed() {
    long seed = 20_261_122;
    Random random = new Random(seed);
    Instant start = time.now();
    Duration passed = Duration.ZERO;

    for (int round = 0; round < 1000; round++) {
      if (random.nextInt(10) == 0) {
        clock.jump(Duration.ofSeconds(random.nextLong(-100_000_000, 100_000_000)));
        time.now();
      }
      Duration step = Duration.ofSeconds(random.nextInt(600));
      clock.advance(step);
      passed = passed.plus(step);
      time.keep();
      if (random.nextInt(10) == 0) {
        time = opened();
      }
    }

    assertThat(Duration.between(start, time.now()).minus(passed).abs())
        .as("seed %d", seed)
        .isLessThan(Duration.ofMinutes(20));
  }
}

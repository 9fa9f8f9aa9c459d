package io.coppice.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.SnapshotLocks;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Games with the machine's clock, none of which may end a lock early.
class LockTimeTest {

  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration YEAR = Duration.ofDays(365);

  private Instant clock = BEGIN;
  private long nanos = 7;
  private Optional<String> record = Optional.empty();
  private List<VolumeInfo> volumes = List.of();
  private LockTime time = opened();

  @BeforeEach
  void lockForAWeek() {
    volumes = List.of(lockedUntil(BEGIN.plus(Duration.ofDays(7))));
    store();
  }

  private static VolumeInfo lockedUntil(Instant end) {
    return new VolumeInfo(
        VolumeId.random(),
        VolumeKind.SNAPSHOT,
        1 << 20,
        VolumeId.random(),
        false,
        BEGIN,
        Map.of(SnapshotLocks.ATTRIBUTE, end.toString()));
  }

  private LockTime opened() {
    return new LockTime(record, volumes, () -> clock, () -> nanos);
  }

  private void store() {
    record = Optional.of(LockTime.text(time.now()));
  }

  /// The pool is closed and opened again; the machine's count of nanoseconds begins anew.
  private void restart() {
    store();
    crash();
  }

  private void crash() {
    nanos = 3;
    time = opened();
  }

  private void run(Duration duration) {
    clock = clock.plus(duration);
    nanos += duration.toNanos();
  }

  private void set(Duration by) {
    clock = clock.plus(by);
  }

  private Duration passed() {
    return Duration.between(BEGIN, time.now());
  }

  @Test
  void goesOnWithTheMachine() {
    run(DAY);

    assertThat(passed()).isEqualTo(DAY);
  }

  @Test
  void settingTheClockForthWhileRunningGivesAnHourInADay() {
    set(YEAR);
    assertThat(passed()).isZero();
    run(DAY);

    assertThat(passed()).isEqualTo(DAY.plus(HOUR));
  }

  @Test
  void settingTheClockBackChangesNothing() {
    set(YEAR.negated());
    run(DAY);
    assertThat(passed()).isEqualTo(DAY);
    restart();
    run(DAY);

    assertThat(passed()).isEqualTo(DAY.multipliedBy(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 365, 36_500})
  void aClockThatIsAheadAfterARestartGivesNothing(int days) {
    for (int i = 0; i < 100; i++) {
      set(Duration.ofDays(days));
      restart();
      assertThat(passed()).isZero();
      set(Duration.ofDays(-days));
      restart();
    }

    assertThat(passed()).isZero();
  }

  @Test
  void manyRestartsGiveNoMoreThanRunningDoes() {
    for (int i = 0; i < 24 * 60; i++) {
      set(DAY);
      run(Duration.ofMinutes(1));
      restart();
    }

    assertThat(passed()).isEqualTo(DAY.plus(HOUR));
  }

  @Test
  void clockThatGoesToAndFroGivesNoMoreThanAnHourInADay() {
    for (int i = 0; i < 24 * 60; i++) {
      set(i % 2 == 0 ? YEAR : YEAR.negated());
      run(Duration.ofMinutes(1));
      time.now();
    }

    assertThat(passed()).isBetween(DAY, DAY.plus(HOUR));
  }

  @Test
  void outageIsCaughtUpSlowly() {
    store();
    clock = clock.plus(DAY);
    crash();
    assertThat(passed()).isZero();
    run(DAY);
    assertThat(passed()).isEqualTo(DAY.plus(HOUR));
    run(DAY.multipliedBy(30));

    assertThat(time.now()).isEqualTo(clock);
  }

  @Test
  void crashLosesWhatWasNotStored() {
    run(HOUR);
    store();
    run(HOUR);
    crash();

    assertThat(passed()).isEqualTo(HOUR);
  }

  @Test
  void countOfNanosecondsThatGoesBackStandsStill() {
    run(HOUR);
    assertThat(passed()).isEqualTo(HOUR);
    nanos -= DAY.toNanos();

    assertThat(passed()).isEqualTo(HOUR);
  }

  /// Nobody loses by it: the lock that could end early has ended by both.
  @Test
  void followsTheClockIfNoLockHolds() {
    run(Duration.ofDays(8));
    store();
    clock = clock.plus(YEAR);
    crash();
    assertThat(time.now()).isEqualTo(clock);

    clock = BEGIN.plus(DAY);
    crash();
    assertThat(passed()).as("else the lock would hold again").isEqualTo(Duration.ofDays(8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "2 2026-01-05T00:00:00Z", "1 soon", "1 2026-01-05T00:00:00Z x"})
  void recordThatSaysNothingEndsNoLock(String text) {
    record = Optional.of(text);
    clock = BEGIN.plus(YEAR);
    crash();

    assertThat(passed()).isZero();
  }

  /// Whatever is done to the clock in a thousand steps: what passes for locks is at most what
  /// passed while the pool was open, and 1/24 of it.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomGamesNeverEndALockTooEarly(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    volumes = List.of(lockedUntil(BEGIN.plus(YEAR.multipliedBy(9))));
    Duration ran = Duration.ZERO;
    for (int i = 0; i < 1000; i++) {
      switch (random.nextInt(6)) {
        case 0 -> set(Duration.ofSeconds(random.nextLong(-40_000_000, 40_000_000)));
        case 1 -> restart();
        case 2 -> crash();
        case 3 -> store();
        default -> {
          Duration running = Duration.ofMillis(random.nextLong(80_000_000));
          run(running);
          ran = ran.plus(running);
        }
      }
      assertThat(passed()).isBetween(Duration.ZERO, ran.plus(ran.dividedBy(24)));
    }
  }
}

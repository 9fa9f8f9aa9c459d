package io.coppice.engine.clean;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The clock and the latencies are the test's.
class LatencyWatchTest {

  private static final long SECOND = 1_000_000_000L;

  private final LatencyWatch watch = new LatencyWatch(1000, 200);
  private long now = 5 * SECOND;

  /// Batches of hosts, evenly over some seconds.
  private void batches(int seconds, int eachSecond, long micros) {
    for (int i = 0; i < seconds * eachSecond; i++) {
      now += SECOND / eachSecond;
      watch.took(now, micros * 1000);
    }
  }

  private int halvings() {
    return watch.halvings(now);
  }

  @Test
  void steadyHostsLeaveTheCleanerItsBandwidth() {
    for (int i = 0; i < 30; i++) {
      batches(1, 500, 100 + i % 7);
      assertThat(halvings()).isZero();
    }
  }

  @Test
  void eachWindowAboveTwiceTheUsualHalvesAgain() {
    batches(10, 500, 100);
    batches(2, 500, 190);
    assertThat(halvings()).isZero();
    batches(2, 500, 300);
    assertThat(halvings()).isEqualTo(1);
    batches(1, 500, 300);
    assertThat(halvings()).isEqualTo(2);
  }

  @Test
  void thereIsALeastBandwidthAndItComesBackStepByStep() {
    batches(60, 500, 100);
    batches(20, 500, 1000);
    assertThat(halvings()).isEqualTo(6);
    batches(2, 500, 100);
    assertThat(halvings()).isEqualTo(5);
    batches(6, 500, 100);
    assertThat(halvings()).isZero();
  }

  @Test
  void whatHasBeenSoForMostOfAMinuteIsUsual() {
    batches(20, 500, 100);
    batches(45, 500, 1000);
    assertThat(halvings()).isZero();
  }

  @Test
  void oneSlowBatchInTwoHundredIsNotYetTheNinetyNinthPercentile() {
    batches(10, 500, 100);
    for (int i = 0; i < 2000; i++) {
      now += SECOND / 500;
      watch.took(now, i % 200 == 0 ? 5_000_000 : 100_000);
    }
    assertThat(halvings()).isZero();
    for (int i = 0; i < 1000; i++) {
      now += SECOND / 500;
      watch.took(now, i % 50 == 0 ? 5_000_000 : 100_000);
    }
    assertThat(halvings()).isPositive();
  }

  @Test
  void aWindowOfFewBatchesSaysNothing() {
    batches(10, 500, 100);
    batches(10, 50, 5000);
    assertThat(halvings()).isZero();
  }

  @Test
  void whenHostsAreSilentNobodyIsInTheWay() {
    batches(10, 500, 100);
    batches(5, 500, 1000);
    assertThat(halvings()).isPositive();
    now += 3 * SECOND;
    assertThat(halvings()).isZero();
  }

  @Test
  void theShortestAndTheLongestLatencyAreCounted() {
    batches(10, 500, 0);
    for (int i = 0; i < 1000; i++) {
      now += SECOND / 500;
      watch.took(now, Long.MAX_VALUE);
    }
    assertThat(halvings()).isPositive();
  }
}

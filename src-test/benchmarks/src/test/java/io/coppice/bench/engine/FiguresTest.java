package io.coppice.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {

  @Test
  void theMedianIsTheMiddleOneOrTheMeanOfTheTwoInTheMiddle() {
    assertThat(Figures.median(List.of(7.0))).isEqualTo(7);
    assertThat(Figures.median(List.of(9.0, 1.0, 4.0))).isEqualTo(4);
    assertThat(Figures.median(List.of(8.0, 1.0, 2.0, 100.0))).isEqualTo(5);
  }

  @Test
  void theTextHoldsMedianAndRange() {
    assertThat(Figures.text(List.of(3.0, 1.0, 2.0))).isEqualTo("2.00 (1.00-3.00)");
    assertThat(Figures.text(List.of(30.06, 10.0, 20.04))).isEqualTo("20.0 (10.0-30.1)");
    assertThat(Figures.text(List.of(3000.4, 1000.0, 2000.0))).isEqualTo("2000 (1000-3000)");
  }

  @Test
  void percentilesOfLatenciesAreAtMostOneThirtySecondTooLong() {
    Latencies latencies = new Latencies();
    for (long micros = 1; micros <= 10_000; micros++) {
      latencies.record(micros * 1_000);
    }

    assertThat(latencies.total()).isEqualTo(10_000);
    for (double percent : new double[] {0.1, 1, 50, 99, 99.9, 100}) {
      assertThat(latencies.micros(percent)).isBetween(percent * 100, percent * 100 * 33 / 32);
    }
  }

  @Test
  void latenciesOfEveryLengthHaveAClass() {
    for (long nanos : new long[] {0, 1, 31, 32, 33, 63, 64, 1L << 40, Long.MAX_VALUE}) {
      Latencies latencies = new Latencies();
      latencies.record(nanos);
      assertThat(latencies.micros(99) * 1e3)
          .as("%d ns", nanos)
          .isCloseTo(nanos, within(nanos / 32.0 + 0.5));
    }
  }

  @Test
  void noLatencyIsZero() {
    assertThat(new Latencies().micros(99)).isZero();
  }

  @Test
  void anAimIsMetOnItsSideOfTheBound() {
    Aim floor = Aim.atLeast(0.9);
    Aim ceiling = Aim.atMost(5);

    assertThat(floor.isMetBy(0.9)).isTrue();
    assertThat(floor.isMetBy(0.89)).isFalse();
    assertThat(floor).hasToString("at least 0.9");
    assertThat(ceiling.isMetBy(5)).isTrue();
    assertThat(ceiling.isMetBy(5.1)).isFalse();
    assertThat(ceiling).hasToString("at most 5");
  }

  @Test
  void theShareOfAnAimIsOneWhereItIsJustMet() {
    assertThat(Aim.atLeast(20).share(20)).isEqualTo(1);
    assertThat(Aim.atLeast(20).share(10)).isEqualTo(0.5);
    assertThat(Aim.atMost(3).share(3)).isEqualTo(1);
    assertThat(Aim.atMost(3).share(6)).isEqualTo(0.5);
    assertThat(Aim.atMost(3).share(0)).isEqualTo(100);
  }

  @Test
  void sizesAreToldInTheLargestUnitWithoutARest() {
    assertThat(Sizes.text(512L << 20)).isEqualTo("512 MiB");
    assertThat(Sizes.text(10L << 30)).isEqualTo("10 GiB");
    assertThat(Sizes.text(1L << 40)).isEqualTo("1 TiB");
    assertThat(Sizes.text((5L << 30) + (1 << 20))).isEqualTo("5121 MiB");
  }
}

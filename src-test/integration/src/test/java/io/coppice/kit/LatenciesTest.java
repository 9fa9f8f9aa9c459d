package io.coppice.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LatenciesTest {

  @Test
  void percentilesOfLatenciesAreAtMostOneThousandthTooLong() {
    Latencies latencies = Latencies.forOneThread();
    for (long micros = 1; micros <= 10_000; micros++) {
      latencies.record(micros * 1_000);
    }

    assertThat(latencies.total()).isEqualTo(10_000);
    for (double percent : new double[] {0.1, 1, 50, 99, 99.9, 100}) {
      assertThat(latencies.micros(percent)).isBetween(percent * 100, percent * 100 * 1.001);
    }
  }

  @Test
  void latenciesOfEveryLengthHaveAClass() {
    for (long nanos : new long[] {0, 1, 31, 32, 33, 63, 64, 1L << 40, Long.MAX_VALUE}) {
      Latencies latencies = Latencies.forOneThread();
      latencies.record(nanos);
      assertThat(latencies.micros(99) * 1e3)
          .as("%d ns", nanos)
          .isCloseTo(nanos, within(nanos / 1000.0 + 0.5));
    }
  }

  @Test
  void noLatencyIsZero() {
    assertThat(Latencies.forOneThread().micros(99)).isZero();
  }
}

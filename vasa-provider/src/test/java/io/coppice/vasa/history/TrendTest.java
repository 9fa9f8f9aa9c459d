package io.coppice.vasa.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/// Slopes that outliers and leaps do not move.
class TrendTest {

  private static final double DAY = 86_400;

  private static Trend of(int points, DoubleUnaryOperator value) {
    double[] times = new double[points];
    double[] values = new double[points];
    for (int i = 0; i < points; i++) {
      times[i] = i * 3600.0;
      values[i] = value.applyAsDouble(times[i]);
    }
    return Trend.of(times, values);
  }

  @Test
  void anEvenGrowthIsItsSlope() {
    Trend trend = of(720, time -> 5e9 + time / DAY * 1e9);

    assertThat(trend.perDay()).isCloseTo(1e9, within(1.0));
    assertThat(trend.agreement()).isEqualTo(1);
    assertThat(trend.points()).isEqualTo(720);
    assertThat(trend.span().toHours()).isEqualTo(719);
  }

  @Test
  void outliersDoNotMoveIt() {
    Random random = new Random(7);
    Trend trend =
        of(
            720,
            time ->
                time / DAY * 1e9
                    + random.nextGaussian() * 2e8
                    + (random.nextInt(10) == 0 ? 5e11 : 0));

    assertThat(trend.perDay()).isCloseTo(1e9, within(1e8));
  }

  @Test
  void aSingleLeapIsNoGrowth() {
    assertThat(of(200, time -> time > 400_000 ? 9e9 : 1e9).perDay()).isZero();
    assertThat(of(200, time -> 4e9).perDay()).isZero();
    assertThat(of(200, time -> -time).perDay()).isNegative();
  }
}

package io.coppice.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  void theMedianIsTheMiddleOneOrTheMeanOfTheTwoInTheMiddle() {
    assertThat(Spread.median(List.of(7.0))).isEqualTo(7);
    assertThat(Spread.median(List.of(9.0, 1.0, 4.0))).isEqualTo(4);
    assertThat(Spread.median(List.of(8.0, 1.0, 2.0, 100.0))).isEqualTo(5);
  }

  @Test
  void theTextHoldsMedianAndRange() {
    assertThat(Spread.text(List.of(3.0, 1.0, 2.0))).isEqualTo("2.00 (1.00-3.00)");
    assertThat(Spread.text(List.of(30.06, 10.0, 20.04))).isEqualTo("20.0 (10.0-30.1)");
    assertThat(Spread.text(List.of(3000.4, 1000.0, 2000.0))).isEqualTo("2000 (1000-3000)");
  }
}

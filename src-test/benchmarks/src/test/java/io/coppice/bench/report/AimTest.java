package io.coppice.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AimTest {

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
}

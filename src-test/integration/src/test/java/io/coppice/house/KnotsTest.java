package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnotsTest {

  @Test
  void aCircleIsOneKnotAndALineIsNone() {
    assertThat(Knots.of(Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("a", "d"))))
        .containsExactly(Set.of("a", "b", "c"));
    assertThat(Knots.of(Map.of("a", Set.of("b", "a"), "b", Set.of("c")))).isEmpty();
  }

  @Test
  void circlesThatShareANodeAreOneKnotAndCirclesInARowAreTwo() {
    assertThat(Knots.of(Map.of("a", Set.of("b", "c"), "b", Set.of("a"), "c", Set.of("a"))))
        .containsExactly(Set.of("a", "b", "c"));
    assertThat(
            Knots.of(
                Map.of(
                    "a", Set.of("b"), "b", Set.of("a", "c"), "c", Set.of("d"), "d", Set.of("c"))))
        .containsExactlyInAnyOrder(Set.of("a", "b"), Set.of("c", "d"));
  }
}

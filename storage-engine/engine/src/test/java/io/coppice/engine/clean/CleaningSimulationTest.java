package io.coppice.engine.clean;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.clean.CleaningSimulation.Load;
import io.coppice.engine.clean.CleaningSimulation.Setting;
import io.coppice.engine.clean.CleaningSimulation.Streams;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The cleaner's policy keeps to what is promised of it, and survivors have zones of their own for
/// a reason.
class CleaningSimulationTest {

  private static double amplification(Streams streams, Load load, int fullPercent) {
    return new CleaningSimulation(new Setting(streams, load, fullPercent, 32)).amplification();
  }

  @Test
  void uniformWritesAreAmplifiedNoMoreThanAimedAt() {
    Map.of(70, 2.1, 80, 3.0, 90, 5.8)
        .forEach(
            (full, most) ->
                assertThat(amplification(Streams.SURVIVORS, Load.UNIFORM, full))
                    .as("%d %% full", full)
                    .isBetween(1.0, most));
  }

  @Test
  void zonesOfTheirOwnForSurvivorsPayUnderSkew() {
    for (Load load : new Load[] {Load.HOT_AND_COLD, Load.ZIPF, Load.LOG_AND_COLD}) {
      assertThat(amplification(Streams.SURVIVORS, load, 80))
          .as("%s", load)
          .isLessThan(0.75 * amplification(Streams.THE_LOG, load, 80));
    }
  }

  @Test
  void aSecondAgeOfSurvivorsGainsLittle() {
    for (Load load : Load.values()) {
      assertThat(amplification(Streams.YOUNG_AND_OLD, load, 80))
          .as("%s", load)
          .isGreaterThan(0.85 * amplification(Streams.SURVIVORS, load, 80));
    }
  }
}

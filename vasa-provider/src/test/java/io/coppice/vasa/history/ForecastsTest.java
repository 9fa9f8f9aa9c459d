package io.coppice.vasa.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.coppice.vasa.testing.ControlPlane;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When it is full: each answer, from what was recorded.
class ForecastsTest {

  private static final Duration SIX_HOURLY = Duration.ofHours(6);
  private static final Duration MINUTELY = Duration.ofMinutes(1);
  private static final RecordingSettings SETTINGS =
      new RecordingSettings(true, 1L << 30, 64L << 20, 0);

  @TempDir private Path folder;

  private final RecordedWorld world = new RecordedWorld();
  private HistoryRecorder recorder;
  private Forecasts forecasts;

  @BeforeEach
  void open() {
    recorder = new HistoryRecorder(SETTINGS, folder, world.sources(), world.clocks());
    forecasts = new SpaceForecasts(new History(recorder, new ControlPlane().spaces, world.clock));
  }

  @Test
  void anEvenGrowthOfAMonthSaysWhen() {
    world.run(recorder, Duration.ofDays(20), SIX_HOURLY, 6L << 30);

    Forecast found = forecasts.ofPool();

    assertThat(found.outcome()).isEqualTo(Forecast.Outcome.FILLING);
    assertThat(found.sureness()).isEqualTo(Forecast.Sureness.HIGH);
    long hoursLeft = (RecordedWorld.SIZE - world.used) >> 30;
    assertThat(found.fullAt().orElseThrow())
        .isCloseTo(
            world.clock.instant().plus(Duration.ofHours(hoursLeft)), within(5, ChronoUnit.HOURS));
    assertThat(found.sentence())
        .contains("The pool is full in about", "over the last 20 days", "24 GiB a day, evenly");
    assertThat(found.used()).isEqualTo(world.used);
    Forecast quota = forecasts.ofContainer(RecordedWorld.CONTAINER, "gold");
    assertThat(quota.outcome()).isEqualTo(Forecast.Outcome.FULL);
    assertThat(quota.sentence()).startsWith("The container 'gold' is full now");
  }

  @Test
  void aSuddenEvenGrowthCountsMoreThanACalmMonth() {
    world.run(recorder, Duration.ofDays(20), SIX_HOURLY, 0);
    Forecast calm = forecasts.ofPool();
    world.run(recorder, Duration.ofMinutes(70), MINUTELY, 4L << 30);

    Forecast sudden = forecasts.ofPool();

    assertThat(calm.outcome()).isEqualTo(Forecast.Outcome.NOT_GROWING);
    assertThat(calm.sentence()).contains("is not growing", "0 B a day");
    assertThat(sudden.outcome()).isEqualTo(Forecast.Outcome.FILLING);
    assertThat(sudden.fullAt().orElseThrow())
        .isBefore(world.clock.instant().plus(Duration.ofHours(3)));
  }

  @Test
  void aShrinkingPoolAndALeapAreNoGrowth() {
    world.run(recorder, Duration.ofDays(16), SIX_HOURLY, -(4L << 30));
    assertThat(forecasts.ofPool().sentence()).contains("-16 GiB a day");
    world.used += 500L << 30;
    world.run(recorder, Duration.ofDays(20), SIX_HOURLY, 0);

    assertThat(forecasts.ofPool().outcome()).isEqualTo(Forecast.Outcome.NOT_GROWING);
  }

  @Test
  void littleOrNoHistoryIsAnAnswer() {
    assertThat(forecasts.ofPool().outcome()).isEqualTo(Forecast.Outcome.TOO_LITTLE_HISTORY);
    recorder.record();
    world.run(recorder, Duration.ofMinutes(5), MINUTELY, 1);

    Forecast found = forecasts.ofPool();

    assertThat(found.outcome()).isEqualTo(Forecast.Outcome.TOO_LITTLE_HISTORY);
    assertThat(found.fullAt()).isEmpty();
    assertThat(found.used()).isEqualTo(world.used);
    world.database = false;
    world.run(recorder, Duration.ofMinutes(10), MINUTELY, 1);
    Forecast unknown = forecasts.ofContainer(RecordedWorld.CONTAINER, "gold");
    assertThat(unknown.outcome()).isEqualTo(Forecast.Outcome.TOO_LITTLE_HISTORY);
    assertThat(unknown.used()).isNull();
  }
}

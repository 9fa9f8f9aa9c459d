package io.coppice.vasa.alert.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.history.Forecast;
import io.coppice.vasa.history.Forecast.Outcome;
import io.coppice.vasa.history.Forecast.Sureness;
import io.coppice.vasa.history.Forecasts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistorySourceTest {

  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  private Forecast pool = forecast(Outcome.NOT_GROWING, null, null);
  private Optional<String> obstacle = Optional.empty();
  private long nanos;
  private int asked;

  private final HistorySource source =
      new HistorySource(
          () -> obstacle,
          List::of,
          new Forecasts() {
            @Override
            public Forecast ofPool() {
              asked++;
              return pool;
            }

            @Override
            public Forecast ofContainer(UUID container, String name) {
              throw new AssertionError("there is no container");
            }
          },
          Duration.ofDays(7),
          new AlertSubject("system", "pool", null, null),
          () -> NOW,
          () -> nanos);

  private static Forecast forecast(Outcome outcome, Instant full, Sureness sureness) {
    return new Forecast(outcome, "The pool is full soon.", 1L, 2L, full, sureness, List.of());
  }

  @ParameterizedTest
  @CsvSource({"6, HIGH, 1", "6, MEDIUM, 1", "6, LOW, 0", "8, HIGH, 0"})
  void whatIsFullSoonIsAnAlertIfThatIsSure(int days, Sureness sureness, int alerts) {
    pool = forecast(Outcome.FILLING, NOW.plus(Duration.ofDays(days)), sureness);

    assertThat(source.look()).hasSize(alerts);
  }

  @Test
  void theAlertSaysWhatTheForecastSays() {
    pool = forecast(Outcome.FILLING, NOW.plus(Duration.ofDays(1)), Sureness.HIGH);

    AlertFinding found = source.look().getFirst();

    assertThat(found.message()).isEqualTo("SpaceFilling");
    assertThat(found.parameters()).containsEntry("what", "The pool is full soon.");
  }

  @Test
  void forecastsAreMadeEveryTenMinutesAndObstaclesAreSeenAtOnce() {
    assertThat(source.look()).isEmpty();
    obstacle = Optional.of("no space left");
    nanos = HistorySource.BETWEEN_FORECASTS.toNanos() - 1;

    assertThat(source.look()).extracting(AlertFinding::message).containsExactly("HistoryStopped");
    assertThat(asked).isEqualTo(1);

    nanos++;
    source.look();
    assertThat(asked).isEqualTo(2);
  }
}

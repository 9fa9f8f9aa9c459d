package io.coppice.vasa.alert.source;

import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.history.Forecast;
import io.coppice.vasa.history.Forecasts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// The history: the space that it foresees to run out, and whether it is being recorded. A forecast
/// reads files, so it is made anew every ten minutes only.
public final class HistorySource implements AlertSource {

  static final Duration BETWEEN_FORECASTS = Duration.ofMinutes(10);

  private final Supplier<Optional<String>> obstacle;
  private final Supplier<List<StorageContainer>> containers;
  private final Forecasts forecasts;
  private final Duration horizon;
  private final AlertSubject system;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private List<AlertFinding> foreseen = List.of();
  private long foreseenAt;
  private boolean looked;

  /// @param horizon how soon something must be full
  /// @param obstacle why nothing is recorded now; empty if something is, or if that is wanted
  public HistorySource(
      Supplier<Optional<String>> obstacle,
      Supplier<List<StorageContainer>> containers,
      Forecasts forecasts,
      Duration horizon,
      AlertSubject system,
      InstantSource clock,
      LongSupplier nanos) {
    this.obstacle = obstacle;
    this.containers = containers;
    this.forecasts = forecasts;
    this.horizon = horizon;
    this.system = system;
    this.clock = clock;
    this.nanos = nanos;
  }

  @Override
  public String name() {
    return "history";
  }

  @Override
  public boolean needsDatabase() {
    return true;
  }

  @Override
  public List<AlertFinding> look() {
    if (!looked || nanos.getAsLong() - foreseenAt >= BETWEEN_FORECASTS.toNanos()) {
      foreseen = foresee();
      foreseenAt = nanos.getAsLong();
      looked = true;
    }
    List<AlertFinding> all = new ArrayList<>(foreseen);
    obstacle
        .get()
        .ifPresent(
            what ->
                all.add(
                    new AlertFinding(
                        "history",
                        AlertSeverity.WARNING,
                        system,
                        "HistoryStopped",
                        Map.of("what", what))));
    return all;
  }

  private List<AlertFinding> foresee() {
    Instant end = clock.instant().plus(horizon);
    List<AlertFinding> found = new ArrayList<>();
    add(found, forecasts.ofPool(), end, system);
    for (StorageContainer container : containers.get()) {
      AlertSubject about =
          new AlertSubject(
              "container", container.id().toString(), container.name(), container.id());
      add(found, forecasts.ofContainer(container.id(), container.name()), end, about);
    }
    return found;
  }

  /// What is full already has an alert of its own, and an unsure forecast alarms nobody.
  private static void add(
      List<AlertFinding> found, Forecast forecast, Instant end, AlertSubject about) {
    boolean soon = forecast.fullAt().filter(at -> at.isBefore(end)).isPresent();
    if (forecast.outcome() != Forecast.Outcome.FILLING
        || !soon
        || forecast.sureness() == Forecast.Sureness.LOW) {
      return;
    }
    found.add(
        new AlertFinding(
            "forecast:" + about.id(),
            AlertSeverity.WARNING,
            about,
            "SpaceFilling",
            Map.of("what", forecast.sentence())));
  }
}

package io.coppice.vasa.alert.source;

import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// The control plane, which mostly waits for the database when it does not answer. A start or a
/// short gap is no alert.
public final class ControlPlaneSource implements AlertSource {

  private final Supplier<Optional<String>> obstacle;
  private final Duration patience;
  private final AlertSubject system;
  private final LongSupplier nanos;

  private boolean away;
  private long sinceNanos;

  /// @param obstacle why it does not answer; empty if it does
  /// @param patience how long it may be away
  /// @param nanos time that passed, as [System#nanoTime]
  public ControlPlaneSource(
      Supplier<Optional<String>> obstacle,
      Duration patience,
      AlertSubject system,
      LongSupplier nanos) {
    this.obstacle = obstacle;
    this.patience = patience;
    this.system = system;
    this.nanos = nanos;
  }

  @Override
  public String name() {
    return "control plane";
  }

  @Override
  public boolean needsDatabase() {
    return false;
  }

  @Override
  public List<AlertFinding> look() {
    Optional<String> reason = obstacle.get();
    if (reason.isEmpty()) {
      away = false;
      return List.of();
    }
    long now = nanos.getAsLong();
    if (!away) {
      away = true;
      sinceNanos = now;
    }
    if (now - sinceNanos < patience.toNanos()) {
      return List.of();
    }
    return List.of(
        new AlertFinding(
            "control-plane",
            AlertSeverity.CRITICAL,
            system,
            "ControlPlaneAway",
            Map.of("what", reason.get())));
  }
}

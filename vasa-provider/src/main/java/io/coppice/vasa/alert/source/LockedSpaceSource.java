package io.coppice.vasa.alert.source;

import io.coppice.engine.SnapshotLocks;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.status.PoolSpace;
import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.history.Forecast;
import io.coppice.vasa.history.Forecasts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// The space that locked snapshots hold in a pool that is full within a week, or has hardly any
/// space left: nobody can delete them to make room. It is looked at every ten minutes only, since a
/// forecast reads files, and whenever the last hundredth of the pool is reached or left.
///
/// A pool that refuses writes does not grow any more, and its last bytes may be too few for one. So
/// the forecast alone would take the alert back when it matters most.
public final class LockedSpaceSource implements AlertSource {

  static final Duration BETWEEN_LOOKS = Duration.ofMinutes(10);
  static final Duration BEFORE = Duration.ofDays(7);

  private final StorageEngine engine;
  private final Forecasts forecasts;
  private final AlertSubject system;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private List<AlertFinding> found = List.of();
  private long foundAt;
  private boolean looked;
  private boolean foundTight;

  public LockedSpaceSource(
      StorageEngine engine,
      Forecasts forecasts,
      AlertSubject system,
      InstantSource clock,
      LongSupplier nanos) {
    this.engine = engine;
    this.forecasts = forecasts;
    this.system = system;
    this.clock = clock;
    this.nanos = nanos;
  }

  @Override
  public String name() {
    return "locked-space";
  }

  @Override
  public boolean needsDatabase() {
    return true;
  }

  @Override
  public List<AlertFinding> look() {
    boolean tight = isTight();
    if (!looked || tight != foundTight || nanos.getAsLong() - foundAt >= BETWEEN_LOOKS.toNanos()) {
      found = find(tight);
      foundTight = tight;
      foundAt = nanos.getAsLong();
      looked = true;
    }
    return found;
  }

  /// Whether less than a hundredth of the pool is free.
  private boolean isTight() {
    PoolSpace space = engine.space();
    return space.free() < space.capacity() / 100;
  }

  private List<AlertFinding> find(boolean tight) {
    SnapshotLocks locks = engine.locks();
    List<VolumeInfo> locked = locks.locked();
    if (locked.isEmpty()) {
      return List.of();
    }
    String what;
    if (tight) {
      what = "Less than a hundredth of the pool is free.";
    } else {
      Forecast forecast = forecasts.ofPool();
      if (!isFullSoon(forecast)) {
        return List.of();
      }
      what = forecast.sentence();
    }
    long bytes =
        engine
            .freedIfDeleted(
                locked.stream().limit(StorageEngine.MAX_FREED).map(VolumeInfo::id).toList())
            .bytes();
    Instant first =
        locked.stream()
            .flatMap(one -> locks.lockedUntil(one).stream())
            .min(Comparator.naturalOrder())
            .orElseGet(locks::now);
    Map<String, String> parameters =
        Map.of(
            "what",
            what,
            "snapshots",
            Integer.toString(locked.size()),
            "bytes",
            Long.toString(bytes),
            "until",
            first.toString());
    return List.of(
        new AlertFinding("locked-space", AlertSeverity.WARNING, system, "LockedSpace", parameters));
  }

  private boolean isFullSoon(Forecast forecast) {
    return switch (forecast.outcome()) {
      case FULL -> true;
      case FILLING ->
          forecast.sureness() != Forecast.Sureness.LOW
              && forecast
                  .fullAt()
                  .filter(at -> !at.isAfter(clock.instant().plus(BEFORE)))
                  .isPresent();
      case NOT_GROWING, TOO_LITTLE_HISTORY -> false;
    };
  }
}

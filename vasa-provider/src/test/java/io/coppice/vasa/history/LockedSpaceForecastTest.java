package io.coppice.vasa.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.alert.source.LockedSpaceSource;
import io.coppice.vasa.testing.ControlPlane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The warning before a pool is full of locked copies, with the history of a pool that fills evenly
/// and forecasts from that history.
class LockedSpaceForecastTest {

  private static final Duration SIX_HOURS = Duration.ofHours(6);
  private static final long EACH = 6L << 30;

  @TempDir private Path folder;

  private final RecordedWorld world = new RecordedWorld();

  @Test
  void theWarningComesAWeekBeforeThePoolIsFullAndStays() {
    HistoryRecorder recorder =
        new HistoryRecorder(
            new RecordingSettings(true, 1L << 30, 64L << 20, 0),
            folder,
            world.sources(),
            world.clocks());
    LockedSpaceSource source =
        new LockedSpaceSource(
            poolWithALock(),
            new SpaceForecasts(new History(recorder, new ControlPlane().spaces, world.clock)),
            new AlertSubject("system", "pool", null, null),
            world.clock,
            world.clock::nanos);
    Duration warned = Duration.ZERO;

    while (world.used + EACH < RecordedWorld.SIZE) {
      world.run(recorder, SIX_HOURS, SIX_HOURS, EACH);
      boolean raised = !source.look().isEmpty();
      Duration left = SIX_HOURS.multipliedBy((RecordedWorld.SIZE - world.used) / EACH);
      assertThat(raised || warned.isZero()).as("it stays, %s before the end", left).isTrue();
      if (raised && warned.isZero()) {
        warned = left;
      }
    }

    assertThat(warned).isBetween(Duration.ofHours(6 * 24 + 12), Duration.ofHours(7 * 24 + 12));
  }

  /// A pool in memory with one locked snapshot, and ample space of its own.
  private MemoryEngine poolWithALock() {
    MemoryEngine pool = new MemoryEngine(1L << 30, world.clock);
    VolumeId volume = VolumeId.random();
    VolumeId snapshot = VolumeId.random();
    pool.create(OperationId.random(), new VolumeSpec(volume, 1 << 20, false, Map.of()));
    pool.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(volume, snapshot, Map.of())),
        Duration.ofSeconds(1));
    pool.locks()
        .lock(OperationId.random(), snapshot, world.clock.instant().plus(Duration.ofDays(365)));
    return pool;
  }
}

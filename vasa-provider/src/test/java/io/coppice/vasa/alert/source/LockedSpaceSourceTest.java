package io.coppice.vasa.alert.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.history.Forecast;
import io.coppice.vasa.history.Forecast.Outcome;
import io.coppice.vasa.history.Forecast.Sureness;
import io.coppice.vasa.history.Forecasts;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockedSpaceSourceTest {

  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final int WRITTEN = 64 << 10;

  private final MemoryEngine engine = new MemoryEngine(1L << 30, () -> NOW);
  private Forecast pool = forecast(Outcome.NOT_GROWING, null, null);
  private final Random random = new Random(19);
  private long nanos;
  private final LockedSpaceSource source =
      new LockedSpaceSource(
          engine,
          new Forecasts() {
            @Override
            public Forecast ofPool() {
              return pool;
            }

            @Override
            public Forecast ofContainer(UUID container, String name) {
              throw new AssertionError("no container is asked for");
            }
          },
          new AlertSubject("system", "pool", null, null),
          () -> NOW,
          () -> nanos);
  private final VolumeId volume = VolumeId.random();
  private final VolumeId snapshot = VolumeId.random();

  private static Forecast forecast(Outcome outcome, Instant full, Sureness sureness) {
    return new Forecast(outcome, "The pool is full soon.", 1L, 2L, full, sureness, List.of());
  }

  @BeforeEach
  void snapshotThatHoldsSomethingAlone() {
    engine.create(OperationId.random(), new VolumeSpec(volume, 1 << 20, false, Map.of()));
    write();
    engine.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(volume, snapshot, Map.of())),
        Duration.ofSeconds(1));
    write();
  }

  private void write() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(WRITTEN);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    Await.io(done -> engine.open(volume).write(0, bytes.flip(), done));
  }

  private void lock() {
    engine.locks().lock(OperationId.random(), snapshot, NOW.plus(Duration.ofDays(3)));
  }

  @ParameterizedTest
  @CsvSource({"6, HIGH, 1", "7, MEDIUM, 1", "6, LOW, 0", "8, HIGH, 0"})
  void aPoolThatIsFullWithinAWeekIsAnAlert(int days, Sureness sureness, int alerts) {
    lock();
    pool = forecast(Outcome.FILLING, NOW.plus(Duration.ofDays(days)), sureness);

    assertThat(source.look()).hasSize(alerts);
  }

  @Test
  void theAlertNamesTheBytesAndTheFirstEnd() {
    pool = forecast(Outcome.FULL, null, null);
    assertThat(source.look()).as("nothing is locked").isEmpty();
    lock();
    nanos = LockedSpaceSource.BETWEEN_LOOKS.toNanos();

    AlertFinding found = source.look().getFirst();

    assertThat(found.message()).isEqualTo("LockedSpace");
    assertThat(found.parameters())
        .containsEntry("bytes", Integer.toString(WRITTEN))
        .containsEntry("snapshots", "1")
        .containsEntry("until", "2026-11-29T12:00:00Z")
        .containsEntry("what", "The pool is full soon.");
  }

  @Test
  void aPoolWithHardlyAnySpaceIsAnAlertAtOnceWhateverTheForecastSays() {
    lock();
    assertThat(source.look()).isEmpty();

    VolumeId thick = VolumeId.random();
    long rest = engine.space().free() - (engine.space().capacity() >> 7);
    engine.create(
        OperationId.random(), new VolumeSpec(thick, rest - rest % (1 << 20), true, Map.of()));

    assertThat(source.look().getFirst().parameters())
        .containsEntry("what", "Less than a hundredth of the pool is free.")
        .containsEntry("bytes", Integer.toString(WRITTEN));
    engine.delete(OperationId.random(), thick);
    assertThat(source.look()).as("there is space again").isEmpty();
  }
}

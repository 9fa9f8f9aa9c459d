package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A consistency group is one cut through time.
class GroupSnapshotOrderTest {

  private static final int SNAPSHOTS = 1_000;

  @TempDir private Path folder;

  /// One writer writes n to A and, once that is acknowledged, n to B. In every group snapshot of
  /// both, A holds what B holds or one more.
  @Test
  void everyGroupSnapshotIsACutThroughTheWritersOrder() throws Exception {
    PoolDirectory.create(folder, 1L << 30, PoolFormat.withDefaults(Instant.now()));
    try (StorageEngine engine = PoolDirectory.open(folder, EngineOptions.defaults())) {
      VolumeId a = create(engine);
      VolumeId b = create(engine);
      AtomicBoolean stopping = new AtomicBoolean();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread writer = Thread.ofPlatform().start(() -> write(engine, a, b, stopping, failure));

      long lastNumber = 0;
      for (int i = 0; i < SNAPSHOTS; i++) {
        VolumeId snapshotOfB = VolumeId.random();
        VolumeId snapshotOfA = VolumeId.random();
        engine.snapshot(
            OperationId.random(),
            List.of(
                new SnapshotSpec(b, snapshotOfB, Map.of()),
                new SnapshotSpec(a, snapshotOfA, Map.of())),
            Duration.ofSeconds(10));
        long inA = number(engine, snapshotOfA);
        long inB = number(engine, snapshotOfB);
        assertThat(inA - inB)
            .as("snapshot %d: A holds %d, B holds %d", i, inA, inB)
            .isBetween(0L, 1L);
        assertThat(inB).isGreaterThanOrEqualTo(lastNumber);
        lastNumber = inB;
        engine.delete(OperationId.random(), snapshotOfA);
        engine.delete(OperationId.random(), snapshotOfB);
      }

      stopping.set(true);
      writer.join();
      assertThat(failure.get()).isNull();
      assertThat(lastNumber).as("writes seen by the last snapshot").isGreaterThan(SNAPSHOTS / 10);
    }
  }

  private static void write(
      StorageEngine engine,
      VolumeId a,
      VolumeId b,
      AtomicBoolean stopping,
      AtomicReference<Throwable> failure) {
    try {
      Volume volumeA = engine.open(a);
      Volume volumeB = engine.open(b);
      for (long n = 1; !stopping.get(); n++) {
        long number = n;
        Await.io(done -> volumeA.write(0, block(number), done));
        Await.io(done -> volumeB.write(0, block(number), done));
      }
    } catch (RuntimeException | AssertionError e) {
      failure.set(e);
    }
  }

  private static VolumeId create(StorageEngine engine) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(id, 1 << 20));
    return id;
  }

  private static ByteBuffer block(long number) {
    return ByteBuffer.allocateDirect(4096).putLong(0, number);
  }

  private static long number(StorageEngine engine, VolumeId id) {
    ByteBuffer block = ByteBuffer.allocateDirect(4096);
    Await.io(done -> engine.open(id).read(0, block, done));
    return block.getLong(0);
  }
}

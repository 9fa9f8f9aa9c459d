package io.coppice.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// The bases of volumes and snapshots, through snapshots, reverts, clones, deletions and a restart.
class BasesTest {

  private static final VolumeId VOLUME = id(1);
  private static final VolumeId FIRST = id(2);
  private static final VolumeId SECOND = id(3);
  private static final VolumeId THIRD = id(4);
  private static final VolumeId CLONE = id(5);

  private final PoolFixture pool = PoolFixture.ofBytes(64 << 20).readers(2);
  private long operations;

  private static VolumeId id(int number) {
    return new VolumeId(new UUID(1, number));
  }

  private OperationId next() {
    return new OperationId(new UUID(2, ++operations));
  }

  @Test
  void eachGoesOnFromTheNearestThatIsStillThere() {
    try (RedirectOnWriteEngine engine = pool.format().open()) {
      engine.create(next(), VolumeSpec.thin(VOLUME, 1 << 20));
      assertThat(engine.bases()).isEmpty();

      snapshot(engine, FIRST);
      snapshot(engine, SECOND);
      assertThat(engine.bases()).isEqualTo(Map.of(SECOND, FIRST, VOLUME, SECOND));

      engine.revert(next(), VOLUME, FIRST);
      snapshot(engine, THIRD);
      write(engine);
      assertThat(engine.bases()).isEqualTo(Map.of(SECOND, FIRST, THIRD, FIRST, VOLUME, THIRD));

      engine.clone(next(), new CloneSpec(THIRD, CLONE, false, Map.of()));
      engine.delete(next(), FIRST); // a ghost with two children
      assertThat(engine.bases()).isEqualTo(Map.of(VOLUME, THIRD, CLONE, THIRD));

      engine.delete(next(), THIRD);
      assertThat(engine.bases()).isEmpty();
      engine.checkpoint();
    }
    try (RedirectOnWriteEngine engine = pool.open()) {
      assertThat(engine.bases()).isEmpty();
      snapshot(engine, THIRD);
      assertThat(engine.bases()).isEqualTo(Map.of(VOLUME, THIRD));
    }
  }

  private void snapshot(RedirectOnWriteEngine engine, VolumeId snapshot) {
    write(engine);
    engine.snapshot(
        next(), List.of(new SnapshotSpec(VOLUME, snapshot, Map.of())), Duration.ofSeconds(10));
  }

  /// Without it a clone would be a sibling of the volume, and a revert could be seen through.
  private static void write(RedirectOnWriteEngine engine) {
    Await.io(done -> engine.open(VOLUME).write(0, ByteBuffer.allocate(4096), done));
  }
}

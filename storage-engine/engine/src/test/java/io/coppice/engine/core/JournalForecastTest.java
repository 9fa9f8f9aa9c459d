package io.coppice.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.journal.JournalTier;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Forecasts of what the deletion of a volume with a journal gives back, and what really came back.
@ExtendWith(QuietEngine.class)
class JournalForecastTest {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 2000;
  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 1));

  @Test
  void aForecastKnowsWhatAJournalKeeps() {
    for (long seed = 1; seed <= 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      AtomicLong nanos = new AtomicLong();
      PoolFixture pool = PoolFixture.ofBytes(128 << 20).nanos(nanos::get).format();
      RedirectOnWriteEngine engine = pool.open();
      engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, (long) BLOCKS * BLOCK));
      engine
          .journals()
          .keep(
              OperationId.random(),
              VOLUME,
              List.of(tier(5, 120), tier(60, 3600), tier(3600, 86_400)));
      for (int round = 0; round < 10; round++) {
        write(engine, random);
        if (random.nextInt(3) == 0) {
          VolumeId snapshot = VolumeId.random();
          engine.snapshot(
              OperationId.random(),
              List.of(new SnapshotSpec(VOLUME, snapshot, Map.of())),
              Duration.ofSeconds(5));
        }
        write(engine, random);
        nanos.addAndGet(Duration.ofSeconds(5L + random.nextInt(60)).toNanos());
        engine.journals().cut(List.of(VOLUME));
      }
      List<Instant> points = engine.journals().points(VOLUME, Instant.EPOCH, 1000);
      engine
          .journals()
          .revert(OperationId.random(), VOLUME, points.get(random.nextInt(points.size())));
      write(engine, random);
      engine.awaitReclaim();
      long said = engine.freedIfDeleted(List.of(VOLUME)).bytes();
      long before = data(engine);

      engine.delete(OperationId.random(), VOLUME);
      engine.awaitReclaim();

      assertThat(said).as("seed %d", seed).isEqualTo(before - data(engine)).isPositive();
      engine.close();
      pool.whole();
    }
  }

  private static JournalTier tier(int every, int keep) {
    return new JournalTier(Duration.ofSeconds(every), Duration.ofSeconds(keep));
  }

  private static void write(RedirectOnWriteEngine engine, SplittableRandom random) {
    Volume volume = engine.open(VOLUME);
    for (int i = 0; i < 5; i++) {
      int blocks = 1 + random.nextInt(random.nextInt(3) == 0 ? 200 : 3);
      byte[] bytes = new byte[blocks * BLOCK];
      random.nextBytes(bytes);
      long first = random.nextInt(BLOCKS - blocks);
      Await.io(done -> volume.write(first * BLOCK, ByteBuffer.wrap(bytes), done));
    }
  }

  /// The used space of the pool without the nodes of maps, in bytes.
  private static long data(RedirectOnWriteEngine engine) {
    return engine.parts().state().segments().liveBlocks() * BLOCK;
  }
}

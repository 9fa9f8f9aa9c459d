package io.coppice.engine.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.check.finding.CheckReport;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.MemoryDevice;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// A checkpoint that stores all nodes anew frees the zones that they had at once: its own tables
/// must not name them any more. And it finds its space, however long readers hold those zones, so
/// that nothing is refused: with `-Dfullcheckpoint.runs=N` that is tried N times, with other loads
/// beside it best.
class FullCheckpointTest {

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
  private static final VolumeId VOLUME = new VolumeId(new UUID(1, 1));
  private static final int ZONE = 256 << 10;
  private static final long SIZE = (512 << 10) + 40L * ZONE;
  private static final int ROUNDS = 80;
  private static final long LEAF_BYTES = 2L << 20;
  private static final long VOLUME_SIZE = 256L << 20;

  private SplittableRandom random = new SplittableRandom(0);

  @Test
  void zonesThatItFreedAreReusedWithoutAContradiction() {
    for (long seed = 12; seed < 12 + Integer.getInteger("fullcheckpoint.runs", 1); seed++) {
      try {
        random = new SplittableRandom(seed);
        run();
      } catch (StorageException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private void run() {
    MemoryDevice device = new MemoryDevice(new byte[(int) SIZE]);
    RedirectOnWriteEngine.format(device, new PoolFormat(new UUID(7, 7), ZONE, CLOCK.instant()));
    RedirectOnWriteEngine engine =
        RedirectOnWriteEngine.open(device, EngineOptions.defaults().withReaderThreads(1), CLOCK);
    engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, VOLUME_SIZE));
    for (int leaf = 0; leaf < ROUNDS; leaf++) {
      write(engine, leaf * LEAF_BYTES, 2);
    }
    for (int round = 0; round < ROUNDS; round++) {
      // A leaf that is stored now and stays, so that the zone of its node does not die by itself.
      long leaf = round * LEAF_BYTES;
      Await.io(done -> engine.open(VOLUME).unmap(leaf, 4096, done));
      for (int i = 0; i < 4; i++) {
        write(engine, 100 * LEAF_BYTES + 4096L * random.nextInt(60), 1);
        engine.setAttributes(
            OperationId.random(), VOLUME, Map.of("round", "" + round), java.util.Set.of());
        engine.checkpoint();
      }
      // Around the device.
      for (int i = 0; i < 24; i++) {
        write(engine, 100 * LEAF_BYTES, 60);
        CheckReport report = PoolChecker.check(new MemoryDevice(device.copy()), true);
        // A checkpoint of the engine's own may be under way: that leaves notes, as a crash does.
        assertThat(report.isClean()).as("round %d: %s", round, report.findings()).isTrue();
      }
    }
    engine.close();
  }

  private void write(RedirectOnWriteEngine engine, long offset, int blocks) {
    byte[] content = new byte[4096 * blocks];
    random.nextBytes(content);
    ByteBuffer from = ByteBuffer.allocateDirect(content.length).put(content).flip();
    Await.io(done -> engine.open(VOLUME).write(offset, from, done));
  }
}

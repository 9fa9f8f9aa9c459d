package io.coppice.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.check.PoolChecker;
import io.coppice.engine.segment.PlacementCounts;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Data that was written a block at a time, each in a batch of its own, and then copied by pointer.
///
/// 1 TiB of it, scaled: what is asked for each block is the same, 32 MiB in 16,384 of 2^28 batches.
class SmallBatchesTest {

  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 7));
  private static final int BLOCKS = 8192;
  private static final long BYTES = BLOCKS * 4096L;
  private static final int ZONE = 1 << 20;

  private final PoolFixture pool = PoolFixture.ofBytes(128 << 20).zones(ZONE).readers(2);

  @Test
  void aCopyTakesBitsInMemoryAndInTheTablesAndTheCutARowForEachSegment() {
    try (RedirectOnWriteEngine engine = pool.format().open()) {
      engine.create(new OperationId(new UUID(3, 1)), VolumeSpec.thin(VOLUME, 4 * BYTES));
      writeAtDepthOne(engine);
      engine.checkpoint();
      long chunks = chunks();
      Await.io(done -> engine.open(VOLUME).copyFrom(engine.open(VOLUME), 0, BYTES, BYTES, done));
      engine.checkpoint();

      PlacementCounts counts = engine.parts().state().segments().counts();
      int segments = 2 * BLOCKS * 4096 / ZONE + 2; // each block with a header before it
      var questions = engine.parts().questions();
      assertThat(questions.ask(counts::size)).isEqualTo(BLOCKS);
      assertThat(questions.ask(counts::bytes)).as("bytes of memory").isLessThan(3 * BLOCKS);
      assertThat(questions.ask(() -> counts.frozen().rows())).isLessThanOrEqualTo(segments);
      assertThat(chunks() - chunks).as("chunks of 120 KiB of tables more").isZero();
    }
    try (RedirectOnWriteEngine engine = pool.whole().open()) {
      assertThat(engine.parts().state().segments().counts().size()).isEqualTo(BLOCKS);
    }
  }

  private long chunks() {
    Long chunks = PoolChecker.check(pool.device(), false).counts().get("chunks");
    return chunks == null ? -1 : chunks;
  }

  private static void writeAtDepthOne(RedirectOnWriteEngine engine) {
    ByteBuffer block = ByteBuffer.allocateDirect(4096);
    for (int i = 0; i < BLOCKS; i++) {
      block.clear().putLong(0, i + 1);
      long at = i * 4096L;
      Await.io(done -> engine.open(VOLUME).write(at, block, done));
    }
  }
}

package io.coppice.engine.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.CheckedPool;
import io.coppice.engine.testing.MemoryDevice;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// A pool that has been written so often that each id of a segment was given out: 8 PiB with zones
/// of 32 MiB, a hundred days of a fast device.
class UsedUpSegmentsTest {

  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 7));
  private static final int PIECE = 64 << 10;
  private static final int PIECES = 64;
  private static final int NEXT_SEGMENT_AT = 80 + 8; // in the first chunk

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final long[] values = new long[PIECES];
  private MemoryDevice device = new MemoryDevice(new byte[16 << 20]);

  @Test
  void aPoolGoesOnWithThoseThatAreFreeAgain() {
    RedirectOnWriteEngine.format(
        device, new PoolFormat(new UUID(1, 2), 256 << 10, UsedPool.CLOCK.instant()));
    try (RedirectOnWriteEngine engine = open()) {
      engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, PIECES * PIECE));
      engine.checkpoint();
    }
    PoolImage image = new PoolImage(device.copy());
    image.chunks.getFirst().view().putInt(NEXT_SEGMENT_AT, BlockAddress.MAX_SEGMENT - 20);
    image.seal();
    device = new MemoryDevice(image.bytes.clone());

    for (int opens = 0; opens < 12; opens++) {
      try (RedirectOnWriteEngine engine = open()) {
        assertHeld(engine);
        write(engine);
        if (random.nextBoolean()) {
          engine.abandon();
        }
      }
      CheckedPool.whole(device);
    }
    try (RedirectOnWriteEngine engine = open()) {
      assertHeld(engine);
    }
    Tables tables = new PoolImage(device.copy()).tables;
    assertThat(tables.state().counters().nextSegment()).isEqualTo(BlockAddress.MAX_SEGMENT + 1);
    assertThat(tables.state().segments())
        .as("ids, seed %d", seed)
        .allMatch(row -> row.id() < 10_000);
  }

  private RedirectOnWriteEngine open() {
    EngineOptions options =
        EngineOptions.defaults().withReaderThreads(2).withCheckpointBytes(1 << 20);
    return RedirectOnWriteEngine.open(device, options, UsedPool.CLOCK);
  }

  private void write(RedirectOnWriteEngine engine) {
    for (int i = 0; i < 300; i++) {
      int piece = random.nextInt(PIECES);
      values[piece] = random.nextLong();
      ByteBuffer bytes = filled(values[piece]);
      Await.io(done -> engine.open(VOLUME).write((long) piece * PIECE, bytes, done));
      if (i % 50 == 7) {
        VolumeId snapshot = VolumeId.random();
        engine.snapshot(
            OperationId.random(),
            List.of(new SnapshotSpec(VOLUME, snapshot, Map.of())),
            Duration.ofMinutes(1));
        engine.list().stream()
            .filter(info -> !info.id().equals(VOLUME) && !info.id().equals(snapshot))
            .forEach(info -> engine.delete(OperationId.random(), info.id()));
      }
    }
  }

  private void assertHeld(RedirectOnWriteEngine engine) {
    for (int piece = 0; piece < PIECES; piece++) {
      ByteBuffer into = ByteBuffer.allocateDirect(PIECE);
      long at = (long) piece * PIECE;
      Await.io(done -> engine.open(VOLUME).read(at, into, done));
      assertThat(into.flip()).as("piece %d, seed %d", piece, seed).isEqualTo(filled(values[piece]));
    }
  }

  private static ByteBuffer filled(long value) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
    while (bytes.hasRemaining()) {
      bytes.putLong(value);
    }
    return bytes.flip();
  }
}

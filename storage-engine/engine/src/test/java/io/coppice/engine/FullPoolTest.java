package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// A pool whose space has run out: who is refused, and who never is.
class FullPoolTest {

  private static final int BLOCK = 4096;
  private static final long MIB = 1 << 20;

  private final PoolFixture pool = PoolFixture.ofBytes(24 * MIB);

  private static VolumeId create(StorageEngine engine, long size, boolean reserved) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), new VolumeSpec(id, size, reserved, Map.of()));
    return id;
  }

  private static ByteBuffer block(long content) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK);
    SplittableRandom random = new SplittableRandom(content);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.flip();
  }

  private static void write(StorageEngine engine, VolumeId id, long block, ByteBuffer from) {
    Await.io(done -> engine.open(id).write(block * BLOCK, from, done));
  }

  private static ByteBuffer read(StorageEngine engine, VolumeId id, long block) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK);
    Await.io(done -> engine.open(id).read(block * BLOCK, bytes, done));
    return bytes.flip();
  }

  /// Writes until the pool refuses.
  private static int fill(StorageEngine engine, VolumeId thin, int blocksAtOnce) {
    int written = 0;
    try {
      while (true) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(blocksAtOnce * BLOCK);
        for (int i = 0; i < blocksAtOnce; i++) {
          bytes.put(block(1_000_000 + written + i));
        }
        write(engine, thin, written, bytes.flip());
        written += blocksAtOnce;
      }
    } catch (StorageException.OutOfSpace full) {
      return written;
    }
  }

  private static int[] shuffled(int count, long seed) {
    int[] order = new int[count];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      int at = random.nextInt(i + 1);
      order[i] = order[at];
      order[at] = i;
    }
    return order;
  }

  /// The worst for the log: each block alone in its batch, in no order, with openings in between.
  @Test
  void everyBlockOfAReservedVolumeFindsItsSpaceInAPoolFilledByOthers() {
    for (int blocksAtOnce : new int[] {1, 3, 16, 61}) {
      RedirectOnWriteEngine engine = pool.format().open();
      VolumeId reserved = create(engine, 4 * MIB, true);
      VolumeId thin = create(engine, 64 * MIB, false);
      assertThat(fill(engine, thin, blocksAtOnce)).isPositive();
      int blocks = (int) (4 * MIB / BLOCK);
      int done = 0;

      for (int block : shuffled(blocks, blocksAtOnce)) {
        write(engine, reserved, block, block(block));
        if (++done % 300 == 0) {
          engine = pool.reopen();
        }
      }

      for (int block = 0; block < blocks; block++) {
        assertThat(read(engine, reserved, block)).as("block %d", block).isEqualTo(block(block));
      }
      engine.close();
    }
  }

  @Test
  void aRepeatedBlockIsNotRefusedWhereADeleteGivesSpace() {
    RedirectOnWriteEngine engine = pool.format().open();
    VolumeId thin = create(engine, 64 * MIB, false);
    VolumeId other = create(engine, 64 * MIB, false);
    fill(engine, thin, 16);
    engine.delete(OperationId.random(), thin);

    Await.io(done -> engine.open(other).writeSame(0, 8 * MIB, block(5).limit(512), done));
    int again = fill(engine, other, 16);

    assertThat(again).isGreaterThan((int) (4 * MIB / BLOCK));
    assertThat(read(engine, other, 0)).isEqualTo(block(1_000_000));
    engine.close();
  }
}

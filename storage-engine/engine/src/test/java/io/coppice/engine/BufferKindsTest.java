package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Buffers that the device can take as they are, and others, of all sizes: what arrives is the
/// same.
@Timeout(120)
class BufferKindsTest {

  private static final int BLOCK = 4096;
  private static final long SIZE = 16L << 20;
  private static final long SEED = 6_000_000L;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final PoolFixture pool = PoolFixture.ofBytes(192 << 20).zones(8 << 20);
  private final RedirectOnWriteEngine engine = pool.format().open();
  private final byte[] model = new byte[(int) SIZE];
  private final Volume volume = create();

  private Volume create() {
    VolumeId id = new VolumeId(new UUID(0, 7));
    engine.create(OperationId.random(), VolumeSpec.thin(id, SIZE));
    return engine.open(id);
  }

  @AfterEach
  void close() {
    engine.close();
    pool.whole();
  }

  /// On the heap, direct, fit for the device; with a position and a limit inside.
  private ByteBuffer buffer(int kind, int length) {
    ByteBuffer whole =
        switch (kind) {
          case 0 -> ByteBuffer.allocate(length + 2 * BLOCK);
          case 1 -> ByteBuffer.allocateDirect(length + 2 * BLOCK).slice(8, length + BLOCK);
          default -> AlignedBuffers.allocate(length + 2 * BLOCK);
        };
    whole.position(kind == 1 ? 512 : BLOCK);
    return whole.limit(whole.position() + length);
  }

  private int length() {
    return BLOCK * (1 + random.nextInt(random.nextBoolean() ? 16 : 600));
  }

  @Test
  void everyKindOfBufferIsWrittenAndReadAlike() {
    for (int round = 0; round < 150; round++) {
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      long at = 0;
      for (int i = 0; i < 6; i++) { // side by side, so that they meet in one batch
        int length = length();
        at += (long) BLOCK * random.nextInt(100);
        if (at + length > SIZE) {
          break;
        }
        writes.add(write(at, length, random.nextInt(3)));
        at += length;
      }
      writes.forEach(Await::await);
      for (int i = 0; i < 6; i++) {
        int length = length();
        verify((long) BLOCK * random.nextInt((int) (SIZE - length) / BLOCK), length, i % 3);
      }
    }
  }

  private CompletableFuture<Void> write(long offset, int length, int kind) {
    ByteBuffer from = buffer(kind, length);
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    from.put(from.position(), bytes);
    System.arraycopy(bytes, 0, model, (int) offset, length);
    return Await.start(done -> volume.write(offset, from, done));
  }

  private void verify(long offset, int length, int kind) {
    ByteBuffer into = buffer(kind, length);
    int position = into.position();
    int limit = into.limit();

    Await.io(done -> volume.read(offset, into, done));

    assertThat(into.limit()).isEqualTo(limit);
    assertThat(into.position()).isEqualTo(limit);
    assertThat(into.position(position).mismatch(ByteBuffer.wrap(model, (int) offset, length)))
        .as("first byte of %d at %d in a buffer of kind %d, seed %d", length, offset, kind, SEED)
        .isEqualTo(-1);
  }

  @Test
  void aReadThatFailsLeavesPositionAndLimitOfAnyKindOfBuffer() {
    Await.await(write(0, 64 * BLOCK, 2));
    Await.await(write(64 * BLOCK, 64 * BLOCK, 2));
    flipABitOfBlock(100);
    for (int kind = 0; kind < 3; kind++) {
      ByteBuffer into = buffer(kind, 128 * BLOCK);
      int position = into.position();
      int limit = into.limit();
      assertThatThrownBy(() -> volume.read(0, into)).isInstanceOf(StorageException.Damaged.class);
      assertThat(into.position()).isEqualTo(position);
      assertThat(into.limit()).isEqualTo(limit);
    }
    Await.await(write(100 * BLOCK, BLOCK, 0)); // the pool is whole again
  }

  private void flipABitOfBlock(int number) {
    ByteBuffer wanted = ByteBuffer.wrap(model, number * BLOCK, BLOCK);
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    SimulatedBlockDevice device = pool.device();
    for (long at = 0; at < device.sizeInBytes(); at += BLOCK) {
      device.read(at, block.clear());
      if (block.flip().equals(wanted)) {
        device.flipBit(at + 77, 3);
        return;
      }
    }
    throw new AssertionError("block %d is nowhere on the device".formatted(number));
  }
}

package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A pool that must not go on: every command ends, and nothing is overwritten.
@Timeout(120)
class StoppedPoolTest {

  private static final int BLOCK = 4096;
  private static final long MIB = 1 << 20;

  private final PoolFixture pool = PoolFixture.ofBytes(24 * MIB);
  private final SimulatedBlockDevice device = pool.device();

  @Test
  void everyWriteThatWaitsForSpaceEndsWhenTheDeviceFails() {
    RedirectOnWriteEngine engine = pool.format().open();
    Volume volume = volume(engine, 12 * MIB);
    for (long at = 0; at < 12 * MIB; at += MIB) {
      write(volume, at);
    }
    device.failSync(40);

    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      long at = i % 12 * MIB;
      ByteBuffer bytes = random(i, (int) MIB);
      writes.add(Await.start(done -> volume.write(at, bytes, done)));
    }

    Await.until("each write ends", () -> writes.stream().allMatch(CompletableFuture::isDone));
    assertThat(writes.getLast()).isCompletedExceptionally();
    engine.close();
  }

  @Test
  void everyWriteThatWaitsForSpaceEndsWhenThePoolIsAbandoned() {
    RedirectOnWriteEngine engine = pool.format().open();
    Volume volume = volume(engine, 12 * MIB);
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      long at = i % 12 * MIB;
      ByteBuffer bytes = random(i, (int) MIB);
      writes.add(Await.start(done -> volume.write(at, bytes, done)));
    }

    engine.abandon();

    Await.until("each write ends", () -> writes.stream().allMatch(CompletableFuture::isDone));
  }

  @Test
  void poolThatANewerFormatHasWrittenSinceIsNotOpenedAtAnOlderState() {
    RedirectOnWriteEngine engine = pool.format().open();
    write(volume(engine, MIB), 0);
    engine.close();
    ByteBuffer slot = ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    long newest = newestSlot(slot);
    // As a version 2 would write its first checkpoint: the next slot, the next generation.
    slot.putInt(8, 2);
    slot.putLong(32, newest + BLOCK);
    slot.putLong(48, slot.getLong(48) + 1);
    slot.putInt(40, 0);
    slot.putInt(40, new Checksum().of(slot, 0, BLOCK));
    device.writeStable(newest + BLOCK, List.of(slot));
    List<Integer> before = device.contentHashes();

    assertThatThrownBy(pool::open)
        .isInstanceOf(StorageException.PoolUnusable.class)
        .hasMessage(
            "Expected a pool of format version 1, found version 2. A later Coppice has written it:"
                + " start that one. Nothing was changed.");
    assertThat(device.contentHashes()).isEqualTo(before);
  }

  /// Reads the slot of the highest generation in the first ring, and says where it stands.
  private long newestSlot(ByteBuffer into) {
    long newest = -1;
    long generation = -1;
    for (int i = 0; i < 64; i++) {
      device.read((long) i * BLOCK, into.clear());
      if (into.getLong(0) != 0 && into.getLong(48) > generation) {
        generation = into.getLong(48);
        newest = (long) i * BLOCK;
      }
    }
    device.read(newest, into.clear());
    into.clear();
    return newest;
  }

  private static Volume volume(StorageEngine engine, long size) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(id, size));
    return engine.open(id);
  }

  private static void write(Volume volume, long at) {
    ByteBuffer bytes = random(at, (int) MIB);
    Await.io(done -> volume.write(at, bytes, done));
  }

  private static ByteBuffer random(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return ByteBuffer.allocateDirect(length).put(bytes).flip();
  }
}

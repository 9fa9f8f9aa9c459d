package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.CheckedPool;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QueuedDevice;
import io.coppice.engine.testing.QuietEngine;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Reads of a pool on two devices that both work on many at a time.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class MirrorQueuesTest {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 256;
  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 7));
  private static final long SIZE = 24L << 20;

  private final PoolFixture pool = PoolFixture.mirrored(SIZE).readers(2);
  private final SimulatedBlockDevice first = pool.device();
  private final SimulatedBlockDevice second = pool.second();
  private final QueuedDevice one = new QueuedDevice(first, 1);
  private final QueuedDevice two = new QueuedDevice(second, 2);

  @Test
  void whatIsDamagedOnTheDeviceOfEitherQueueComesFromTheOtherAndIsWrittenAnew() {
    try (RedirectOnWriteEngine engine = scattered()) {
      List<ScrubFinding> told = new CopyOnWriteArrayList<>();
      engine.scrub().listen(told::add);
      for (int block = 0; block < BLOCKS; block += 5) {
        SimulatedBlockDevice bad = block % 2 == 0 ? first : second;
        bad.flipBit(find(bad, content(block)) + 1000, 4);
      }

      assertAllReads(engine);
      assertAllReads(engine);

      assertThat(told)
          .as("met by the queue of its device")
          .hasSize((BLOCKS + 4) / 5)
          .allSatisfy(found -> assertThat(found).isInstanceOf(ScrubFinding.MendedBlock.class));
      assertThat(one.pieces()).as("through the first queue").isPositive();
      assertThat(two.pieces()).as("through the second queue").isPositive();
    }
    assertNoQueueIsOpen();
    CheckedPool.whole(first);
    CheckedPool.whole(second);
  }

  @Test
  void sectorsThatCannotBeReadAreReadFromTheOtherDevice() {
    try (RedirectOnWriteEngine engine = scattered()) {
      for (int block = 0; block < BLOCKS; block += 5) {
        SimulatedBlockDevice bad = block % 2 == 0 ? first : second;
        bad.failReads(find(bad, content(block)));
      }
      for (int round = 0; round < 4; round++) {
        assertAllReads(engine);
      }
    }
    assertNoQueueIsOpen();
  }

  @Test
  void piecesThatQueuesDoNotTakeOrDoNotReadAreReadByCalls() {
    try (RedirectOnWriteEngine engine = scattered()) {
      for (int round = 0; round < 20; round++) {
        one.refuse(round % 11);
        two.lose(round / 2);
        assertAllReads(engine);
      }
    }
    assertNoQueueIsOpen();
  }

  @Test
  void aDeviceThatFailsUnderReadsIsLeftToItsOtherOne() throws Exception {
    try (RedirectOnWriteEngine engine = scattered()) {
      AtomicBoolean over = new AtomicBoolean();
      CountDownLatch begun = new CountDownLatch(2);
      CompletableFuture<Void> reader =
          CompletableFuture.runAsync(
              () -> {
                while (!over.get()) {
                  assertAllReads(engine);
                  begun.countDown();
                }
              });
      begun.await();
      second.failSyncs(1);
      write(engine, 0);
      assertThat(engine.mirror().orElseThrow().second()).isEqualTo(MirrorStatus.State.ABSENT);
      over.set(true);
      reader.join();

      int before = one.pieces();
      int left = two.pieces();
      assertAllReads(engine);
      assertAllReads(engine);
      assertThat(one.pieces()).as("through the queue that is left").isGreaterThan(before);
      assertThat(two.pieces()).as("of the device that was left out").isEqualTo(left);
    }
    assertNoQueueIsOpen();
  }

  @Test
  void aDeviceThatWasFilledHasAQueue() {
    RedirectOnWriteEngine engine = scattered();
    second.failWrite(1);
    write(engine, 0);
    engine.close();
    assertNoQueueIsOpen();
    QueuedDevice filled = new QueuedDevice(second.afterCrash(new SplittableRandom(3)), 3);

    pool.behind(device -> device.equals(first) ? one : filled);
    try (RedirectOnWriteEngine again = pool.open()) {
      Await.until("it has a queue", () -> filled.openQueues() == 1);
      assertThat(again.mirror().orElseThrow().isRedundant()).isTrue();
      Await.until(
          "reads go through it",
          () -> {
            assertAllReads(again);
            return filled.pieces() > 0;
          });
    }
    assertThat(filled.openQueues()).isZero();
    assertNoQueueIsOpen();
  }

  private void assertNoQueueIsOpen() {
    assertThat(one.openQueues() + two.openQueues()).isZero();
  }

  /// A volume whose blocks lie one by one.
  private RedirectOnWriteEngine scattered() {
    pool.behind(device -> device.equals(first) ? one : two);
    RedirectOnWriteEngine engine = pool.format().open();
    engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, (long) BLOCKS * BLOCK));
    for (int block = BLOCKS - 1; block >= 0; block--) {
      write(engine, block);
    }
    return engine;
  }

  private static void write(StorageEngine engine, int block) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK).put(content(block)).flip();
    Await.io(done -> engine.open(VOLUME).write((long) block * BLOCK, bytes, done));
  }

  private static void assertAllReads(StorageEngine engine) {
    ByteBuffer found = ByteBuffer.allocateDirect(BLOCKS * BLOCK);
    Await.io(done -> engine.open(VOLUME).read(0, found, done));
    for (int block = 0; block < BLOCKS; block++) {
      assertThat(found.slice(block * BLOCK, BLOCK)).as("block %d", block).isEqualTo(content(block));
    }
  }

  private static ByteBuffer content(int block) {
    byte[] bytes = new byte[BLOCK];
    new SplittableRandom(block).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private static long find(SimulatedBlockDevice device, ByteBuffer content) {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    for (long at = 0; at < SIZE; at += BLOCK) {
      device.read(at, block.clear());
      if (block.flip().equals(content)) {
        return at;
      }
    }
    throw new AssertionError("the content is nowhere on the device");
  }
}

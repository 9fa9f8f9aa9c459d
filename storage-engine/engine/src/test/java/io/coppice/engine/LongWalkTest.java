package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Questions that read many nodes of maps, on a device that is slow for them alone: space that
/// hosts write over comes back while they go on, and the answer is right.
@Timeout(120)
class LongWalkTest {

  private static final int BLOCK = 4096;
  private static final long MIB = 1 << 20;

  /// One block in each leaf of this many.
  private static final int LEAVES = 3000;

  /// Of the walk, for each MiB that hosts write: it takes longer than they do.
  private static final int READS_FOR_A_MIB = 2;

  private static final long STRIDE = 512L * BLOCK;

  private final PoolFixture pool = PoolFixture.ofBytes(320 * MIB);
  private final SlowDevice device = new SlowDevice(pool.device());
  private final ExecutorService asking =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("asking").daemon().factory());
  private final VolumeId wide = VolumeId.random();
  private final VolumeId first = VolumeId.random();
  private final VolumeId last = VolumeId.random();
  private final VolumeId busy = VolumeId.random();
  private final RedirectOnWriteEngine engine = prepared();

  /// Reads of one thread wait for leave.
  private static final class SlowDevice extends ForwardingDevice {
    private final Semaphore leave = new Semaphore(0);
    private final CountDownLatch met = new CountDownLatch(1);
    private volatile boolean slow;

    SlowDevice(BlockDevice device) {
      super(device);
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      if (slow && Thread.currentThread().getName().equals("asking")) {
        met.countDown();
        leave.acquireUninterruptibly();
      }
      super.read(offset, into);
    }

    void hold() {
      slow = true;
    }

    void awaitMet() throws InterruptedException {
      met.await();
    }

    void letPass() {
      slow = false;
      leave.release(1 << 20);
    }

    @Override
    public void close() {}
  }

  /// A volume of many leaves, the half of which were written between two snapshots; nothing of it
  /// in memory.
  private RedirectOnWriteEngine prepared() {
    RedirectOnWriteEngine opened = pool.behind(_ -> device).format().open();
    opened.create(OperationId.random(), VolumeSpec.thin(wide, LEAVES * STRIDE));
    opened.create(OperationId.random(), VolumeSpec.thin(busy, 8 * MIB));
    Volume volume = opened.open(wide);
    for (int i = 0; i < LEAVES; i += 3) {
      volume.write(i * STRIDE, random(i, BLOCK));
    }
    snapshot(opened, first);
    for (int i = 0; i < LEAVES; i += 2) {
      volume.write(i * STRIDE + BLOCK, random(i, BLOCK));
    }
    snapshot(opened, last);
    return pool.reopen();
  }

  private void snapshot(StorageEngine of, VolumeId as) {
    of.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(wide, as, Map.of())),
        Duration.ofSeconds(10));
  }

  @AfterEach
  void close() {
    device.letPass();
    asking.shutdown();
    engine.close();
  }

  private static ByteBuffer random(long seed, int length) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(length);
    SplittableRandom random = new SplittableRandom(seed);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.flip();
  }

  /// Begins to ask, lets some portions of it be read, and has hosts write over more than the pool
  /// has free meanwhile.
  private <T> T whileHostsWrite(Supplier<T> question) throws Exception {
    device.hold();
    CompletableFuture<T> answer = CompletableFuture.supplyAsync(question, asking);
    device.awaitMet();
    Volume volume = engine.open(busy);
    for (int i = 0; i < 40; i++) {
      int round = i;
      for (long at = 0; at < 8 * MIB; at += MIB) {
        long offset = at;
        CompletableFuture<Void> write =
            Await.start(done -> volume.write(offset, random(round, (int) MIB), done));
        device.leave.release(READS_FOR_A_MIB);
        letPassWhileItWaits(write, answer);
        Await.await(write);
      }
    }
    assertThat(answer).as("whether it still looks").isNotDone();
    device.letPass();
    return Await.await(answer);
  }

  /// A write that finds no zone is given one when the walk goes on a portion or two: then it reads
  /// a node now and then. To its end, if it gives nothing back before.
  private void letPassWhileItWaits(CompletableFuture<Void> write, CompletableFuture<?> walk)
      throws Exception {
    while (!write.isDone() && !walk.isDone()) {
      try {
        write.get(5, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        device.leave.release();
      }
    }
  }

  private static BitSet expected() {
    BitSet bits = new BitSet();
    for (int i = 0; i < LEAVES; i += 2) {
      bits.set(i);
    }
    return bits;
  }

  @Test
  void spaceComesBackWhileADifferenceIsLookedFor() throws Exception {
    ByteRange all = new ByteRange(0, LEAVES * STRIDE);

    ChunkBitmap found = whileHostsWrite(() -> engine.unshared(last, first, all, STRIDE));

    assertThat(found.set()).isEqualTo(expected());
  }

  @Test
  void walkEndsWhenWhatItLooksAtIsDeleted() throws Exception {
    device.hold();
    CompletableFuture<ChunkBitmap> answer =
        CompletableFuture.supplyAsync(
            () -> engine.unshared(last, first, new ByteRange(0, LEAVES * STRIDE), STRIDE), asking);
    device.awaitMet();
    engine.delete(OperationId.random(), first);
    device.letPass();

    assertThatThrownBy(() -> Await.await(answer)).isInstanceOf(StorageException.NotFound.class);
  }

  /// What was found before a revert does not count.
  @Test
  void walkOfAVolumeThatIsRevertedMeanwhileTellsWhatItHoldsNow() throws Exception {
    ByteRange all = new ByteRange(0, LEAVES * STRIDE);
    device.hold();
    CompletableFuture<ChunkBitmap> answer =
        CompletableFuture.supplyAsync(() -> engine.unshared(wide, first, all, STRIDE), asking);
    device.awaitMet();
    engine.revert(OperationId.random(), wide, first);
    device.letPass();

    assertThat(Await.await(answer).set().isEmpty()).isTrue();
  }
}

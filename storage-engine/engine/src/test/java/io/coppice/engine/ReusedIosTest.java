package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The engine uses the objects of its I/Os again: each I/O ends once, as itself, whatever befalls
/// the others meanwhile.
@Timeout(180)
class ReusedIosTest {

  private static final int BLOCK = 4096;
  private static final int THREADS = 6;
  private static final int OWN_BLOCKS = 64;
  private static final int ROUNDS = 1500;

  private final PoolFixture pool = PoolFixture.ofBytes(64 << 20).format();
  private final Faulty device = new Faulty(pool.device());
  private final RedirectOnWriteEngine engine = pool.behind(_ -> device).open();
  private final Queue<End> ends = new ConcurrentLinkedQueue<>();

  private Volume create(long number, long bytes) {
    VolumeId id = new VolumeId(new UUID(0, number));
    engine.create(OperationId.random(), VolumeSpec.thin(id, bytes));
    return engine.open(id);
  }

  /// A device some of whose reads fail, and whose writes are held back while the test says so.
  private static final class Faulty extends ForwardingDevice {
    private final AtomicInteger reads = new AtomicInteger();
    private volatile boolean failsReads;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    Faulty(BlockDevice device) {
      super(device);
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      if (failsReads && reads.incrementAndGet() % 17 == 0) {
        throw new DeviceException("a read that the test lets fail");
      }
      super.read(offset, into);
    }

    @Override
    public void writeStable(long offset, List<ByteBuffer> from) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new DeviceException("interrupted", e);
      }
      super.writeStable(offset, from);
    }
  }

  /// The end of one I/O, told once.
  private final class End implements Completion {
    private final String what;
    private final AtomicInteger told = new AtomicInteger();
    private final CompletableFuture<@Nullable StorageException> result = new CompletableFuture<>();

    End(String what) {
      this.what = what;
      ends.add(this);
    }

    @Override
    public void succeeded() {
      told.incrementAndGet();
      result.complete(null);
    }

    @Override
    public void failed(StorageException failure) {
      told.incrementAndGet();
      result.complete(failure);
    }

    @Nullable StorageException await() {
      return Await.await(result);
    }
  }

  private void assertThatEachEndedOnce() {
    for (End end : ends) {
      end.await();
    }
    assertThat(ends).allSatisfy(end -> assertThat(end.told).as(end.what).hasValue(1));
  }

  private static ByteBuffer stamped(long stamp) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK);
    while (bytes.hasRemaining()) {
      bytes.putLong(stamp);
    }
    return bytes.flip();
  }

  private static void assertStamp(ByteBuffer found, long stamp) {
    assertThat(found.flip()).as("block with stamp %d", stamp).isEqualTo(stamped(stamp));
  }

  // ---- many threads

  @Test
  void eachOfManyThreadsGetsItsOwnResultsWhileReadsFailAndVolumesGo() throws Exception {
    Volume volume = create(7, (long) THREADS * OWN_BLOCKS * BLOCK);
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> others = onThread(() -> useAndDeleteVolumes(over));
    List<CompletableFuture<Void>> owners = new ArrayList<>();
    device.failsReads = true;
    for (int i = 0; i < THREADS; i++) {
      Owner owner = new Owner(volume, i);
      owners.add(onThread(owner::work));
    }
    for (CompletableFuture<Void> owner : owners) {
      owner.get();
    }
    over.set(true);
    others.get();

    assertThatEachEndedOnce();
    device.failsReads = false;
    engine.close();
    pool.whole();
  }

  private static CompletableFuture<Void> onThread(Runnable work) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                work.run();
                end.complete(null);
              } catch (RuntimeException | Error e) {
                end.completeExceptionally(e);
              }
            });
    return end;
  }

  /// Knows what each block of its share holds: nobody else writes it.
  private final class Owner {
    private final Volume volume;
    private final int number;
    private final long[] stamps = new long[OWN_BLOCKS];
    private final SplittableRandom random;

    Owner(Volume volume, int number) {
      this.volume = volume;
      this.number = number;
      random = new SplittableRandom(number);
    }

    private long offset(int block) {
      return ((long) number * OWN_BLOCKS + block) * BLOCK;
    }

    void work() {
      for (int round = 1; round <= ROUNDS; round++) {
        int block = random.nextInt(OWN_BLOCKS);
        long stamp = (long) number << 32 | round;
        switch (random.nextInt(6)) {
          case 0 -> writeTogether(round);
          case 1 -> {
            volume.write(offset(block), stamped(stamp));
            stamps[block] = stamp;
          }
          case 2 -> writeBehindAnother(block, stamp);
          case 3 -> refused();
          default -> verify(block);
        }
      }
    }

    /// Several at once, in any order.
    private void writeTogether(int round) {
      List<End> open = new ArrayList<>();
      for (int block = 0; block < 12; block++) {
        stamps[block] = (long) number << 32 | (long) round << 8 | block;
        End end = new End("write together");
        open.add(end);
        volume.write(offset(block), stamped(stamps[block]), end);
      }
      open.forEach(end -> assertThat(end.await()).isNull());
    }

    /// A write and a read that must wait for an I/O that has the block alone.
    private void writeBehindAnother(int block, long stamp) {
      End ragged = new End("part of a block");
      End write = new End("write behind it");
      End read = new End("read behind it");
      ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
      ByteBuffer sector = stamped(1).limit(512).slice();
      volume.write(offset(block) + 512, sector, ragged);
      volume.write(offset(block), stamped(stamp), write);
      volume.read(offset(block), found, read);
      if (ragged.await() != null) { // it had to read what it does not change
        assertThat(ragged.await()).isInstanceOf(StorageException.DeviceFailed.class);
      }
      assertThat(write.await()).isNull();
      read.await();
      stamps[block] = stamp;
      verify(block);
    }

    private void refused() {
      End write = new End("write behind the end");
      volume.write(volume.sizeInBytes(), stamped(1), write);
      assertThat(write.await()).isInstanceOf(StorageException.InvalidRequest.class);
    }

    private void verify(int block) {
      ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
      End read = new End("read");
      volume.read(offset(block), found, read);
      StorageException failure = read.await();
      if (failure == null) {
        assertStamp(found, stamps[block]);
      } else {
        assertThat(failure).isInstanceOf(StorageException.DeviceFailed.class);
        assertThat(found.position()).isZero();
      }
    }
  }

  private void useAndDeleteVolumes(AtomicBoolean over) {
    for (int i = 100; !over.get(); i++) {
      Volume volume = create(i, 256L * BLOCK);
      for (int block = 0; block < 32; block++) {
        long offset = (long) block * BLOCK;
        volume.write(offset, stamped(i), new End("write of a volume that goes"));
        volume.read(
            offset, ByteBuffer.allocateDirect(BLOCK), new End("read of a volume that goes"));
      }
      engine.delete(OperationId.random(), volume.id());
    }
  }

  // ---- held back, and cut off

  @Test
  void whatIsHeldBackAtTheDeviceIsNotUsedAgain() {
    Volume volume = create(7, 1024L * BLOCK);
    for (int round = 0; round < 20; round++) {
      CountDownLatch gate = new CountDownLatch(1);
      device.gate = gate;
      List<End> held = new ArrayList<>();
      for (int block = 0; block < 256; block++) {
        End end = new End("write held back");
        held.add(end);
        volume.write((long) block * BLOCK, stamped(round * 1000L + block), end);
      }
      assertThat(held.stream().filter(end -> end.result.isDone())).isEmpty();
      gate.countDown();
      held.forEach(end -> assertThat(end.await()).isNull());

      for (int block = 0; block < 256; block++) {
        ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
        volume.read((long) block * BLOCK, found);
        assertStamp(found, round * 1000L + block);
      }
    }
    assertThatEachEndedOnce();
  }

  @Test
  void eachEndsOnceWhenTheDeviceFailsUnderThem() {
    Volume volume = create(7, 1024L * BLOCK);
    pool.device().failSync(60);
    for (int i = 0; i < 4000; i++) {
      long offset = i % 1024L * BLOCK;
      volume.write(offset, stamped(i), new End("write until the device fails"));
      volume.read(offset, ByteBuffer.allocateDirect(BLOCK), new End("read until then"));
    }

    assertThatEachEndedOnce();
    assertThat(ends.stream().filter(end -> end.result.join() != null)).isNotEmpty();
  }

  @Test
  void eachEndsOnceWhenThePoolIsAbandonedUnderThem() {
    Volume volume = create(7, 12_288L * BLOCK);
    for (int i = 0; i < 64; i++) {
      ByteBuffer large = ByteBuffer.allocateDirect(1 << 20);
      new SplittableRandom(i).longs(1 << 17).forEach(large::putLong);
      volume.write(i % 48L << 20, large.flip(), new End("large write"));
      volume.write(i * 512L, stamped(i).limit(512), new End("part of a block"));
    }
    engine.abandon();

    assertThatEachEndedOnce();
  }

  @Test
  void anOwnerThatThrowsAtTheEndOfItsIoEndsNobodyElses() {
    Volume volume = create(7, 1024L * BLOCK);
    AtomicInteger thrown = new AtomicInteger();
    for (int i = 0; i < 400; i++) {
      long offset = i * 2L * BLOCK;
      volume.write(offset, stamped(i), new End("write"));
      if (i == 200) {
        volume.write(
            offset + BLOCK,
            stamped(i),
            new Completion() {
              @Override
              public void succeeded() {
                thrown.incrementAndGet();
                throw new IllegalStateException("an owner that the test lets throw");
              }

              @Override
              public void failed(StorageException failure) {
                thrown.incrementAndGet();
              }
            });
      }
    }

    assertThatEachEndedOnce();
    Await.until("the owner is told", () -> thrown.get() > 0);
    assertThat(thrown).hasValue(1);
  }
}

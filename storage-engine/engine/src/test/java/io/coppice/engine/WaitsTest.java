package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QueuedDevice;
import io.coppice.engine.testing.QuietEngine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// The reports of an I/O about its waiting for others.
@Timeout(60)
@ExtendWith(QuietEngine.class)
class WaitsTest {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 512;
  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 9));

  private final PoolFixture pool = PoolFixture.ofBytes(24 << 20);

  /// A device whose stable writes wait while it is told to.
  private static final class Held extends ForwardingDevice {
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private final CountDownLatch entered = new CountDownLatch(1);

    Held(BlockDevice device) {
      super(device);
    }

    @Override
    public void writeStable(long offset, List<ByteBuffer> from) {
      CountDownLatch now = gate;
      if (now.getCount() > 0) {
        entered.countDown();
        pass(now);
      }
      super.writeStable(offset, from);
    }
  }

  /// An I/O that notes until when it waited, and when it ended.
  private static final class Noted implements Completion {
    private final long began = System.nanoTime();
    private final CompletableFuture<Long> end = new CompletableFuture<>();
    private volatile long waitedUntil;

    @Override
    public void leavesQueue(long at) {
      if (waitedUntil == 0) {
        waitedUntil = at;
      }
    }

    @Override
    public void succeeded() {
      end.complete(System.nanoTime());
    }

    @Override
    public void failed(StorageException failure) {
      end.completeExceptionally(failure);
    }

    long await() throws Exception {
      return end.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void aSlowWriteOfItsOwnIsNoWaitAndTheOneBehindItWaitsForItsBatch() throws Exception {
    List<Held> devices = new ArrayList<>();
    pool.behind(
        device -> {
          Held held = new Held(device);
          devices.add(held);
          return held;
        });
    try (RedirectOnWriteEngine engine = pool.format().open()) {
      engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, (long) BLOCKS * BLOCK));
      Volume volume = engine.open(VOLUME);
      Await.io(done -> volume.write(0, block(1), done)); // the map is in memory
      Held held = devices.getLast();
      CountDownLatch gate = new CountDownLatch(1);
      held.gate = gate;
      Noted first = new Noted();
      volume.write(0, block(2), first);
      pass(held.entered);
      Noted second = new Noted();
      volume.write(BLOCK, block(3), second);
      Thread.sleep(20);
      long opened = System.nanoTime();
      gate.countDown();
      first.await();
      long end = second.await();

      assertThat(first.waitedUntil).as("handed over, but to an idle log").isLessThan(opened);
      assertThat(second.waitedUntil).isBetween(opened, end);
      assertThat(second.began).isLessThan(opened);
    }
  }

  @Test
  void readsBeyondTheQueueOfTheDeviceWaitAndThoseWithinDoNot() throws Exception {
    pool.behind(device -> new QueuedDevice(device, 5));
    try (RedirectOnWriteEngine engine = pool.format().open()) {
      engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, (long) BLOCKS * BLOCK));
      Volume volume = engine.open(VOLUME);
      for (int i = 0; i < BLOCKS; i += 2) { // every other one: no two are one piece
        int at = i;
        Await.io(done -> volume.write((long) at * BLOCK, block(at), done));
      }
      Noted alone = new Noted();
      volume.read(0, ByteBuffer.allocateDirect(BLOCK), alone);
      alone.await();
      List<Noted> many = new ArrayList<>();
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < BLOCKS; i += 2) {
          Noted one = new Noted();
          many.add(one);
          volume.read((long) i * BLOCK, ByteBuffer.allocateDirect(BLOCK), one);
        }
      }

      for (Noted one : many) {
        long end = one.await();
        if (one.waitedUntil != 0) {
          assertThat(one.waitedUntil).isBetween(one.began, end);
        }
      }
      assertThat(alone.waitedUntil).isZero();
      assertThat(many).anyMatch(one -> one.waitedUntil != 0);
    }
  }

  private static void pass(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private static ByteBuffer block(int value) {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    while (block.hasRemaining()) {
      block.put((byte) (value | 1));
    }
    return block.flip();
  }
}

package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolFormat;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.testing.MemoryDevice;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What I/Os leave to the garbage collector: bytes that all threads of the process allocate, once
/// the code is compiled and there are spare I/Os. On a device that allocates nothing itself.
@Timeout(300)
class AllocationTest {

  /// Bytes for each I/O in the best of the rounds, checkpoints included. The I/O itself needs none;
  /// whatever it allocates, it is one object of 16 bytes or more in each round.
  private static final double MOST = 16;

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 512;
  private static final int DEPTH = 16;
  private static final int COUNT = 20_000;
  private static final int ROUNDS = 60;

  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private final SplittableRandom random = new SplittableRandom(1);
  private final ArrayDeque<Slot> idle = new ArrayDeque<>(); // guarded by itself
  private final RedirectOnWriteEngine engine = openFresh();
  private final Volume volume = create();
  private volatile boolean hasFailed;

  private static RedirectOnWriteEngine openFresh() {
    BlockDevice device = new MemoryDevice(new byte[512 << 20]);
    RedirectOnWriteEngine.format(
        device, new PoolFormat(new UUID(0, 1), PoolFormat.DEFAULT_ZONE_SIZE / 8, Instant.EPOCH));
    return RedirectOnWriteEngine.open(device, EngineOptions.defaults(), InstantSource.system());
  }

  private Volume create() {
    VolumeId id = new VolumeId(new UUID(0, 7));
    engine.create(OperationId.random(), VolumeSpec.thin(id, (long) BLOCKS * BLOCK));
    return engine.open(id);
  }

  @BeforeEach
  void fill() {
    volume.write(0, noise(BLOCKS / 2 * BLOCK));
    volume.write((long) BLOCKS / 2 * BLOCK, noise(BLOCKS / 2 * BLOCK));
    for (int i = 0; i < DEPTH; i++) {
      idle.add(new Slot());
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static ByteBuffer noise(int bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    new SplittableRandom(2).longs(bytes / 8).forEach(buffer::putLong);
    return buffer.flip();
  }

  /// An I/O of this test with its memory.
  private final class Slot implements Completion {

    private final ByteBuffer buffer = noise(BLOCK);

    @Override
    public void succeeded() {
      synchronized (idle) {
        idle.addLast(this);
        idle.notifyAll();
      }
    }

    @Override
    public void failed(StorageException failure) {
      hasFailed = true;
      succeeded();
    }
  }

  private Slot take() {
    synchronized (idle) {
      while (idle.isEmpty()) {
        try {
          idle.wait();
        } catch (InterruptedException e) {
          throw new AssertionError("interrupted", e);
        }
      }
      return idle.removeFirst();
    }
  }

  private void awaitAll() {
    synchronized (idle) {
      while (idle.size() < DEPTH) {
        try {
          idle.wait();
        } catch (InterruptedException e) {
          throw new AssertionError("interrupted", e);
        }
      }
    }
  }

  private long place() {
    return (long) random.nextInt(BLOCKS) * BLOCK;
  }

  @Test
  void aWriteThatIsNotWaitedForAllocatesNothing() {
    assertAllocatesLittle(
        count -> {
          for (int i = 0; i < count; i++) {
            Slot slot = take();
            volume.write(place(), slot.buffer.clear(), slot);
          }
          awaitAll();
        });
  }

  @Test
  void aReadThatIsNotWaitedForAllocatesNothing() {
    assertAllocatesLittle(
        count -> {
          for (int i = 0; i < count; i++) {
            Slot slot = take();
            volume.read(place(), slot.buffer.clear(), slot);
          }
          awaitAll();
        });
  }

  @Test
  void aWriteOfACallerThatMayBlockAllocatesNothing() {
    Slot slot = take();
    assertAllocatesLittle(
        count -> {
          for (int i = 0; i < count; i++) {
            volume.write(place(), slot.buffer.clear());
          }
        });
  }

  @Test
  void aReadOfACallerThatMayBlockAllocatesNothing() {
    Slot slot = take();
    assertAllocatesLittle(
        count -> {
          for (int i = 0; i < count; i++) {
            volume.read(place(), slot.buffer.clear());
          }
        });
  }

  /// Runs so many I/Os.
  private interface Load {
    void run(int count);
  }

  private void assertAllocatesLittle(Load load) {
    double least = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least > MOST; round++) {
      long before = THREADS.getTotalThreadAllocatedBytes();
      load.run(COUNT);
      double each = (double) (THREADS.getTotalThreadAllocatedBytes() - before) / COUNT;
      least = Math.min(least, each);
    }

    assertThat(hasFailed).as("an I/O failed").isFalse();
    assertThat(least)
        .as("bytes allocated for each of %d I/Os, in the best of %d rounds", COUNT, ROUNDS)
        .isLessThanOrEqualTo(MOST);
  }
}

package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What an open reads of the maps that the log touches.
class ReplayReadsTest {

  private static final VolumeId VOLUME = new VolumeId(new UUID(1, 1));
  private static final long LEAF = 2L << 20;
  private static final int LEAVES = 256;

  private final PoolFixture pool = PoolFixture.ofBytes(96 << 20).zones(1 << 20);
  private final TreeMap<Long, Integer> content = new TreeMap<>();

  @Test
  void nodesThatTheLogTouchesAreReadSeveralAtATime() {
    workAndAbandon();
    Meeting meeting = new Meeting(pool.device());

    try (RedirectOnWriteEngine engine = pool.behind(_ -> meeting).open(readers(8))) {
      assertThat(meeting.twoMet()).as("two readers at once").isTrue();
      assertContent(engine);
    }
    pool.whole();
  }

  @Test
  void manyReadersLeaveTheSameAsOne() {
    workAndAbandon();
    PoolFixture other = pool.afterCrash(new SplittableRandom(3));
    try (RedirectOnWriteEngine one = pool.open(readers(1));
        RedirectOnWriteEngine many = other.open(readers(8))) {
      assertContent(one);
      assertContent(many);
      assertThat(many.space()).isEqualTo(one.space());
    }
    pool.whole();
    other.whole();
  }

  /// Leaves that are stored, then a write to each of them that only the log has.
  private void workAndAbandon() {
    try (RedirectOnWriteEngine engine = pool.format().open(readers(1))) {
      engine.create(operation(1), VolumeSpec.thin(VOLUME, LEAVES * LEAF));
      for (int leaf = 0; leaf < LEAVES; leaf++) {
        write(engine, leaf * LEAF, leaf + 1);
      }
    }
    RedirectOnWriteEngine engine = pool.open(readers(1));
    engine.clone(
        operation(2), new CloneSpec(VOLUME, new VolumeId(new UUID(2, 2)), false, Map.of()));
    SplittableRandom random = new SplittableRandom(11);
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      write(engine, leaf * LEAF + 4096L * random.nextInt(512), 1000 + leaf);
    }
    engine.abandon();
  }

  private static OperationId operation(int number) {
    return new OperationId(new UUID(0, number));
  }

  private void write(StorageEngine engine, long offset, int value) {
    ByteBuffer block = ByteBuffer.allocateDirect(4096);
    fill(block, value);
    Await.io(done -> engine.open(VOLUME).write(offset, block.clear(), done));
    content.put(offset, value);
  }

  private static void fill(ByteBuffer block, int value) {
    for (int i = 0; i < block.capacity(); i += 4) {
      block.putInt(i, value * 31 + i);
    }
  }

  private void assertContent(StorageEngine engine) {
    content.forEach(
        (offset, value) -> {
          ByteBuffer into = ByteBuffer.allocateDirect(4096);
          Await.io(done -> engine.open(VOLUME).read(offset, into, done));
          ByteBuffer expected = ByteBuffer.allocateDirect(4096);
          fill(expected, value);
          assertThat(into.flip()).as("offset " + offset).isEqualTo(expected);
        });
  }

  private static EngineOptions readers(int threads) {
    return EngineOptions.defaults().withReaderThreads(threads);
  }

  /// Holds the first reads of a replay's own threads until there are two of them.
  private static final class Meeting extends ForwardingDevice {
    private final CountDownLatch two = new CountDownLatch(2);

    Meeting(BlockDevice device) {
      super(device);
    }

    boolean twoMet() {
      return two.getCount() == 0;
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      if (Thread.currentThread().getName().startsWith("coppice-replay")) {
        two.countDown();
        try {
          two.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          throw new AssertionError("interrupted in a replay's read", e);
        }
      }
      super.read(offset, into);
    }
  }
}

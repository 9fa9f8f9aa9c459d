package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceSettings;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.CheckedPool;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One of two devices that hangs instead of failing: it is left out, and harms nothing when it is
/// back.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class HangingDeviceTest {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 256;
  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 7));

  private final PoolFixture pool =
      PoolFixture.mirrored(24 << 20)
          .options(
              EngineOptions.defaults()
                  .withDevice(DeviceSettings.defaults().withDeadline(DeviceSettings.MIN_DEADLINE)))
          .readers(2);
  private final SimulatedBlockDevice first = pool.device();
  private final SimulatedBlockDevice second = pool.second();

  /// A device that hangs while it is told to.
  private static final class Hanging extends ForwardingDevice {
    private final CountDownLatch back = new CountDownLatch(1);
    private volatile boolean hangs;

    Hanging(BlockDevice device) {
      super(device);
    }

    private void pass() {
      if (hangs) {
        try {
          back.await();
        } catch (InterruptedException e) {
          throw new AssertionError("interrupted", e);
        }
      }
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      pass();
      device.read(offset, into);
    }

    @Override
    public void write(long offset, List<ByteBuffer> from) {
      pass();
      device.write(offset, from);
    }

    @Override
    public void sync() {
      pass();
      device.sync();
    }

    @Override
    public void writeStable(long offset, List<ByteBuffer> from) {
      pass();
      device.writeStable(offset, from);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneThatHangsInAWriteIsLeftOutAndThePoolGoesOn(boolean isFirst) {
    Hanging hanging = new Hanging(isFirst ? first : second);
    RedirectOnWriteEngine engine = made(isFirst, hanging);
    write(engine, 1);
    hanging.hangs = true;

    write(engine, 2);
    engine.checkpoint();
    assertThat(state(engine, isFirst)).isEqualTo(MirrorStatus.State.ABSENT);
    for (int round = 3; round < 40; round++) {
      write(engine, round);
    }
    assertReads(engine, 39);
    engine.checkpoint();
    hanging.back.countDown();
    write(engine, 40);
    assertReads(engine, 40);
    engine.close();

    CheckedPool.whole(isFirst ? second : first);
    try (RedirectOnWriteEngine again = pool.bare().open()) {
      assertReads(again, 40);
      Await.until("both hold everything", () -> again.mirror().orElseThrow().isRedundant());
    }
    pool.whole();
  }

  @Test
  void aReadThatHangsIsAnsweredByTheOtherOne() {
    Hanging hanging = new Hanging(second);
    RedirectOnWriteEngine engine = made(false, hanging);
    write(engine, 1);
    engine.checkpoint();
    hanging.hangs = true;

    assertReads(engine, 1);
    hanging.back.countDown();
    write(engine, 2);
    assertReads(engine, 2);
    engine.close();
    CheckedPool.whole(first);
  }

  private static MirrorStatus.State state(StorageEngine engine, boolean isFirst) {
    MirrorStatus status = engine.mirror().orElseThrow();
    return isFirst ? status.first() : status.second();
  }

  private RedirectOnWriteEngine made(boolean isFirst, Hanging hanging) {
    pool.behind(device -> device.equals(isFirst ? first : second) ? hanging : device);
    RedirectOnWriteEngine engine = pool.format().open();
    engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, (long) BLOCKS * BLOCK));
    return engine;
  }

  private static void write(StorageEngine engine, int round) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCKS * BLOCK).put(content(round)).flip();
    Await.io(done -> engine.open(VOLUME).write(0, bytes, done));
    bytes.clear().put(new byte[BLOCKS * BLOCK]); // it is the caller's again
  }

  private static void assertReads(StorageEngine engine, int round) {
    for (int block = 0; block < BLOCKS; block += 16) {
      ByteBuffer found = ByteBuffer.allocateDirect(16 * BLOCK);
      long offset = (long) block * BLOCK;
      Await.io(done -> engine.open(VOLUME).read(offset, found, done));
      assertThat(found.flip()).isEqualTo(content(round).slice(block * BLOCK, 16 * BLOCK));
    }
  }

  private static ByteBuffer content(int round) {
    byte[] bytes = new byte[BLOCKS * BLOCK];
    new SplittableRandom(round).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }
}

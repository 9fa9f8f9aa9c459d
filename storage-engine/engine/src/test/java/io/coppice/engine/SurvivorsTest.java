package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.clean.CleaningSettings;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What the cleaner stores apart from the log counts only when it is stable and the log says so.
class SurvivorsTest {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 2048;
  private static final EngineOptions EAGER =
      EngineOptions.defaults().withCleaning(new CleaningSettings(100, 85, 1, 50, 1000, 200));

  private final PoolFixture pool = PoolFixture.ofBytes(24 << 20).options(EAGER);
  private final SimulatedBlockDevice device = pool.device();
  private final SplittableRandom random = new SplittableRandom(4_100_001L);
  private final VolumeId volume = VolumeId.random();
  private final long[] numbers = new long[BLOCKS];
  private long last;

  /// A device that tells of every write of survivors before it does it.
  private static final class Watched extends ForwardingDevice {
    private final Consumer<Long> before;

    Watched(BlockDevice device, Consumer<Long> before) {
      super(device);
      this.before = before;
    }

    @Override
    public void writeStable(long offset, List<ByteBuffer> from) {
      ByteBuffer head = from.getFirst().duplicate().order(ByteOrder.LITTLE_ENDIAN);
      if (head.getLong(head.position()) == StructureHeader.SURVIVORS) {
        before.accept(offset);
      }
      super.writeStable(offset, from);
    }
  }

  private RedirectOnWriteEngine open(Consumer<Long> before) {
    RedirectOnWriteEngine engine =
        pool.behind(device -> new Watched(device, before)).format().open();
    engine.create(
        OperationId.random(), new VolumeSpec(volume, (long) BLOCKS * BLOCK, false, Map.of()));
    for (int block = 0; block < BLOCKS; block += 16) {
      write(engine, block, 16);
    }
    return engine;
  }

  private static ByteBuffer content(long number) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK);
    SplittableRandom content = new SplittableRandom(number);
    while (bytes.hasRemaining()) {
      bytes.putLong(content.nextLong());
    }
    return bytes.flip();
  }

  private void write(StorageEngine engine, int first, int blocks) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(blocks * BLOCK);
    for (int i = 0; i < blocks; i++) {
      bytes.put(content(last + 1 + i));
    }
    Await.io(done -> engine.open(volume).write((long) first * BLOCK, bytes.flip(), done));
    for (int i = 0; i < blocks; i++) {
      numbers[first + i] = ++last;
    }
  }

  /// Half of what is stored dies, here and there.
  private void writeOver(StorageEngine engine, int times) {
    for (int i = 0; i < times; i++) {
      write(engine, random.nextInt(BLOCKS), 1);
    }
  }

  private void verify(StorageEngine engine) {
    for (int block = 0; block < BLOCKS; block++) {
      long offset = (long) block * BLOCK;
      ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
      Await.io(done -> engine.open(volume).read(offset, found, done));
      assertThat(found.flip()).as("block %d", block).isEqualTo(content(numbers[block]));
    }
  }

  @Test
  void hostsGoOnAndReadTheOldPlaceUntilSurvivorsAreStable() throws Exception {
    CountDownLatch met = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    RedirectOnWriteEngine engine =
        open(
            _ -> {
              met.countDown();
              awaitLatch(released);
            });
    writeOver(engine, BLOCKS / 2);
    assertThat(met.await(30, TimeUnit.SECONDS)).isTrue();

    writeOver(engine, 100);
    verify(engine);
    assertThat(engine.cleaned().blocksMoved()).isZero();

    // The power goes while they are on their way.
    device.losePowerAfter(1);
    released.countDown();
    engine.abandon();
    PoolFixture after = pool.afterCrash(random).whole();
    try (RedirectOnWriteEngine again = after.open()) {
      verify(again);
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody let the write go on");
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @Test
  void aWriteOfSurvivorsThatFailsStopsThePoolAndLosesNothing() {
    RedirectOnWriteEngine engine =
        open(
            _ -> {
              throw new DeviceException("it failed, as the test asked");
            });
    try {
      writeOver(engine, 20_000);
      throw new AssertionError("expected the pool to stop, it went on");
    } catch (StorageException.DeviceFailed e) {
      assertThat(e).hasMessageContaining("as the test asked");
    }
    engine.abandon();

    try (RedirectOnWriteEngine again = pool.bare().open()) {
      verifyBut(again);
    }
  }

  // The one write under way when the pool stopped happened as a whole or not at all.
  private void verifyBut(StorageEngine engine) {
    int other = 0;
    for (int block = 0; block < BLOCKS; block++) {
      long offset = (long) block * BLOCK;
      ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
      Await.io(done -> engine.open(volume).read(offset, found, done));
      if (!found.flip().equals(content(numbers[block]))) {
        assertThat(found).as("block %d", block).isEqualTo(content(last + 1));
        other++;
      }
    }
    assertThat(other).isLessThanOrEqualTo(1);
  }

  @Test
  void survivorsLieInZonesOfTheirOwnAndOutliveACrash() {
    RedirectOnWriteEngine engine = open(_ -> {});
    writeOver(engine, 4 * BLOCKS);
    Await.until("blocks are moved", () -> engine.cleaned().blocksMoved() > BLOCKS / 2);
    engine.abandon();

    assertThat(zonesOfSurvivors()).isPositive();
    PoolFixture after = pool.afterCrash(random).whole();
    try (RedirectOnWriteEngine again = after.open()) {
      verify(again);
      writeOver(again, 4 * BLOCKS);
      verify(again);
    }
    after.whole();
  }

  @Test
  void pagesThatACheckpointTookAwayWhileSurvivorsWereWrittenAreReadAgain() {
    pool.options(EAGER.withMapMemoryBytes(EngineOptions.MIN_MAP_MEMORY));
    AtomicReference<@Nullable RedirectOnWriteEngine> opened = new AtomicReference<>();
    AtomicInteger taken = new AtomicInteger();
    RedirectOnWriteEngine engine =
        open(
            _ -> {
              RedirectOnWriteEngine now = opened.get();
              if (now != null && taken.get() < 24) {
                now.checkpoint(); // stores the pages that were in memory for this piece
                taken.incrementAndGet();
              }
            });
    opened.set(engine);
    for (int round = 0; round < 200 && taken.get() < 24; round++) {
      writeOver(engine, BLOCKS / 8);
    }
    assertThat(taken.get()).isEqualTo(24);
    verify(engine);
    engine.abandon();
    assertThat(zonesOfSurvivors()).isPositive();

    PoolFixture after = pool.afterCrash(random).whole();
    try (RedirectOnWriteEngine again = after.open()) {
      verify(again);
      writeOver(again, 2 * BLOCKS);
      verify(again);
    }
    after.whole();
  }

  private int zonesOfSurvivors() {
    int found = 0;
    ByteBuffer head = ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    for (int zone = 0; zone < PoolLayout.zonesOf(device.sizeInBytes(), PoolFixture.ZONE); zone++) {
      device.read(PoolLayout.zoneOffset(zone, PoolFixture.ZONE), head.clear());
      found += head.getLong(0) == StructureHeader.SURVIVORS ? 1 : 0;
    }
    return found;
  }
}

package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.status.PoolStatus;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.PoolView;
import io.coppice.engine.testing.QuietEngine;
import io.coppice.engine.testing.SimulatedBlockDevice;
import io.coppice.engine.testing.SmallPool;
import io.coppice.engine.testing.SmallStep;
import io.coppice.engine.testing.SmallSteps;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A device that reports a fault, or has a bit changed in one known place.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class DeviceFaultTest {

  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 7));

  private final PoolFixture pool = pool();
  private final SimulatedBlockDevice device = pool.device();
  private int lastOperation;

  @Test
  void aFailedSyncStopsThePoolForGoodAndLosesNothingAcknowledged() {
    RedirectOnWriteEngine engine = create();
    write(engine, 0, block(1));
    device.failSync(1);

    assertThatThrownBy(() -> write(engine, 0, block(2)))
        .isInstanceOf(StorageException.DeviceFailed.class)
        .hasMessageContaining("The pool stopped because its log could not be written")
        .hasMessageContaining("the sync failed");
    assertThatThrownBy(() -> engine.delete(operation(), VOLUME))
        .isInstanceOf(StorageException.DeviceFailed.class)
        .hasMessageContaining("The pool stopped");
    assertThatThrownBy(engine::checkpoint).isInstanceOf(StorageException.DeviceFailed.class);
    engine.close();

    List<Long> found = new ArrayList<>();
    for (int seed = 0; seed < 20; seed++) {
      try (StorageEngine again = pool.afterCrash(new SplittableRandom(seed)).open()) {
        found.add(read(again, 0, 4096).getLong(0));
      }
    }
    assertThat(found).contains(1L).allMatch(number -> number == 1 || number == 2);
  }

  /// The process ends and starts again while what a failed write left is still in the page cache.
  @Test
  void whatAStartReadsOfAFailedWriteIsStableBeforeItIsBelieved() {
    for (int operation = 1; operation <= 40; operation++) {
      for (boolean isWrite : new boolean[] {false, true}) {
        PoolFixture each = pool();
        SimulatedBlockDevice disk = each.device();
        RedirectOnWriteEngine engine = each.format().open();
        engine.create(operation(), VolumeSpec.thin(VOLUME, 1 << 20));
        if (isWrite) {
          disk.failWrite(operation);
        } else {
          disk.failSync(operation);
        }
        useUntilItFails(engine);
        engine.abandon();
        disk.forgetFaults();

        long believed;
        RedirectOnWriteEngine again = each.open();
        believed = read(again, 0, 4096).getLong(0);
        again.abandon();
        for (int seed = 0; seed < 4; seed++) {
          try (StorageEngine last = each.afterCrash(new SplittableRandom(seed)).open()) {
            assertThat(read(last, 0, 4096).getLong(0))
                .as("operation %d, write %s", operation, isWrite)
                .isEqualTo(believed);
          }
        }
      }
    }
  }

  private static void useUntilItFails(RedirectOnWriteEngine engine) {
    try {
      for (int i = 1; i <= 8; i++) {
        write(engine, 0, block(i));
        if (i % 3 == 0) {
          engine.checkpoint();
        }
      }
    } catch (StorageException.DeviceFailed e) {
      // as it was asked to
    }
  }

  @Test
  void aPoolThatHasStoppedSaysWhyAndSinceWhen() {
    RedirectOnWriteEngine engine = create();
    assertThat(engine.status())
        .isEqualTo(new PoolStatus(PoolStatus.State.SERVING, PoolFixture.CLOCK.instant(), ""));
    device.failSync(1);
    assertThatThrownBy(() -> write(engine, 0, block(1)))
        .isInstanceOf(StorageException.DeviceFailed.class);

    PoolStatus stopped = engine.status();
    engine.close();

    assertThat(stopped.state()).isEqualTo(PoolStatus.State.STOPPED);
    assertThat(stopped.since()).isEqualTo(PoolFixture.CLOCK.instant());
    assertThat(stopped.reason())
        .contains("The pool stopped because its log could not be written", "the sync failed");
    assertThat(engine.status())
        .as("its end in order does not replace the reason")
        .isEqualTo(stopped);
  }

  @Test
  void aPoolThatIsClosedInOrderHasNotStopped() {
    RedirectOnWriteEngine engine = create();
    engine.close();

    assertThat(engine.status().isStopped()).isFalse();
  }

  @Test
  void aFailedCheckpointStopsThePoolAndLosesNothing() {
    RedirectOnWriteEngine engine = create();
    write(engine, 0, block(1));
    device.failSync(2);

    assertThatThrownBy(engine::checkpoint)
        .isInstanceOf(StorageException.DeviceFailed.class)
        .hasMessageContaining("The pool stopped because a checkpoint could not be written");
    assertThatThrownBy(() -> write(engine, 0, block(2)))
        .isInstanceOf(StorageException.DeviceFailed.class)
        .hasMessageContaining("The pool stopped because a checkpoint could not be written");
    engine.close();
    for (int seed = 0; seed < 20; seed++) {
      try (StorageEngine again = pool.afterCrash(new SplittableRandom(seed)).open()) {
        assertThat(read(again, 0, 4096).getLong(0)).isEqualTo(1);
      }
    }
  }

  @Test
  void aBlockThatCannotBeReadIsNamedAndDisturbsNoOther() {
    RedirectOnWriteEngine engine = create();
    for (int i = 0; i < 16; i++) {
      write(engine, i * 4096, block(100 + i));
    }
    device.failReads(placeOf(105));

    assertThatThrownBy(() -> read(engine, 0, 16 * 4096))
        .isInstanceOf(StorageException.DeviceFailed.class)
        .hasMessageContaining("LBA 40 to 47 of volume " + VOLUME);
    for (int i = 0; i < 16; i++) {
      if (i != 5) {
        assertThat(read(engine, i * 4096, 4096)).isEqualTo(block(100 + i));
      }
    }
    write(engine, 5 * 4096, block(205));
    assertThat(read(engine, 0, 16 * 4096).getLong(5 * 4096)).isEqualTo(205);
    engine.close();
  }

  @Test
  void aPartOfABlockThatCannotBeReadIsNotWrittenAndTheRestIsKept() {
    RedirectOnWriteEngine engine = create();
    write(engine, 0, block(1));
    write(engine, 4096, block(2));
    device.failReads(placeOf(1));

    assertThatThrownBy(() -> write(engine, 512, block(3).limit(512)))
        .isInstanceOf(StorageException.DeviceFailed.class)
        .hasMessageContaining("LBA 0 to 7 of volume " + VOLUME);
    ByteBuffer replacement = block(4);
    assertThatThrownBy(
            () ->
                Await.compare(
                    done -> engine.open(VOLUME).compareAndWrite(0, block(1), replacement, done)))
        .isInstanceOf(StorageException.DeviceFailed.class)
        .hasMessageContaining("LBA 0 to 7");
    device.healReads();

    assertThat(read(engine, 0, 4096)).isEqualTo(block(1));
    assertThat(read(engine, 4096, 4096)).isEqualTo(block(2));
    engine.close();
  }

  @Test
  void aPoolThatCannotBeReadIsNotOpenedAndNotTouched() {
    RedirectOnWriteEngine engine = create();
    write(engine, 0, block(1));
    engine.close();
    int refused = 0;
    for (long sector : device.storedSectors()) {
      if (sector % 4096 != 0) {
        continue;
      }
      List<Integer> before = device.contentHashes();
      device.failReads(sector);
      try {
        pool.open().abandon();
      } catch (StorageException.DeviceFailed e) {
        assertThat(e).hasMessageStartingWith("The pool cannot be opened: ");
        assertThat(device.contentHashes()).isEqualTo(before);
        refused++;
      }
      device.healReads();
    }

    assertThat(refused).isGreaterThan(3);
    try (StorageEngine again = pool.open()) {
      assertThat(read(again, 0, 4096)).isEqualTo(block(1));
    }
  }

  /// The batch behind it says that it was acknowledged.
  @Test
  void aHeaderThatRottedBeforeTheLastBatchIsNotTakenForTheEndOfTheLog() {
    RedirectOnWriteEngine engine = create();
    write(engine, 0, block(1));
    write(engine, 4096, block(2));
    engine.abandon();
    device.flipBit(placeOf(1) - 4096 + 100, 3);

    assertThatThrownBy(pool::open)
        .isInstanceOf(StorageException.Damaged.class)
        .hasMessageContaining("found it damaged although batch");
  }

  @Test
  void oneBitChangedAnywhereInAClosedPoolCostsAtMostTheBlockOfDataThatItIsIn() {
    Worked worked = work(4_000_001L);
    worked.engine.close();

    Tally tally = flipEverywhere(worked, 0);

    assertThat(tally.intact).as("intact").isPositive();
    assertThat(tally.blocks).as("blocks refused").isPositive();
    assertThat(tally.pools).as("pools refused").isZero();
  }

  @Test
  void oneBitChangedAnywhereAfterACrashCostsAtMostTheLastBatch() {
    Worked worked = workWithTheLastBatchAfterTheLastCheckpoint(4_000_002L);

    Tally tally = flipEverywhere(worked, 1);

    assertThat(tally.intact).as("intact").isPositive();
    assertThat(tally.blocks).as("blocks refused").isPositive();
    assertThat(tally.pools).as("pools refused").isPositive();
    assertThat(tally.older).as("the last batch lost").isPositive();
  }

  // --- a pool worked on, and one bit
  // -----------------------------------------------------------------

  /// @param superblocks what stood in the superblocks' place before the last step
  private record Worked(
      PoolFixture pool,
      RedirectOnWriteEngine engine,
      List<SmallPool> states,
      ByteBuffer superblocks) {}

  private static final class Tally {
    private int intact;
    private int blocks;
    private int pools;
    private int older;
  }

  /// A checkpoint may come by itself behind the last step; then another seed is tried.
  private static Worked workWithTheLastBatchAfterTheLastCheckpoint(long firstSeed) {
    for (long seed = firstSeed; seed < firstSeed + 20; seed++) {
      Worked worked = work(seed);
      worked.engine.abandon();
      if (superblocks(worked.pool.device()).equals(worked.superblocks)) {
        return worked;
      }
    }
    throw new AssertionError("expected one of 20 seeds to end without a checkpoint");
  }

  private static ByteBuffer superblocks(SimulatedBlockDevice device) {
    ByteBuffer area = ByteBuffer.allocateDirect((int) PoolLayout.SUPERBLOCK_AREA);
    device.read(0, area);
    return area.flip();
  }

  /// Where the checkpoint that counts has its last tables.
  private static long tables(SimulatedBlockDevice device) {
    ByteBuffer area = superblocks(device).order(ByteOrder.LITTLE_ENDIAN);
    Superblock newest = null;
    for (int at = 0; at < area.limit(); at += Superblock.LENGTH) {
      ByteBuffer slot = area.slice(at, Superblock.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
      if (Superblock.isIntact(slot, at)) {
        Superblock found = Superblock.decode(slot);
        newest = newest == null || found.generation() > newest.generation() ? found : newest;
      }
    }
    return newest.root().offset();
  }

  private static Worked work(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PoolFixture pool = pool().format();
    SimulatedBlockDevice device = pool.device();
    RedirectOnWriteEngine engine = pool.open();
    SmallSteps steps = new SmallSteps(random);
    List<SmallPool> states = new ArrayList<>(List.of(SmallPool.EMPTY));
    boolean endsWithWrite = false;
    ByteBuffer superblocks = superblocks(device);
    for (int i = 0; i < 16 || !endsWithWrite; i++) {
      SmallStep step = i == 8 ? SmallStep.checkpoint() : steps.next(states.getLast());
      endsWithWrite = step.name().startsWith("write");
      superblocks = superblocks(device);
      step.perform().accept(engine);
      states.add(step.apply().apply(states.getLast()));
    }
    return new Worked(pool, engine, states, superblocks);
  }

  private static Tally flipEverywhere(Worked worked, int mayLose) {
    SplittableRandom random = new SplittableRandom(17);
    Tally tally = new Tally();
    long tables = tables(worked.pool.device());
    for (long sector : worked.pool.device().storedSectors()) {
      if (random.nextInt(3) > 0 && sector != tables) {
        continue;
      }
      PoolFixture crashed = worked.pool.afterCrash(random);
      SimulatedBlockDevice damaged = crashed.device();
      long offset = sector + random.nextInt(512);
      int bit = random.nextInt(8);
      damaged.flipBit(offset, bit);
      List<Integer> before = damaged.contentHashes();
      try {
        RedirectOnWriteEngine engine = crashed.open();
        judge(PoolView.of(engine), worked.states, mayLose, tally);
        engine.abandon();
      } catch (StorageException.Damaged | StorageException.PoolUnusable e) {
        assertThat(damaged.contentHashes()).as("a refused pool").isEqualTo(before);
        tally.pools++;
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("bit %d of byte %d: %s".formatted(bit, offset, e), e);
      }
    }
    return tally;
  }

  private static void judge(PoolView view, List<SmallPool> states, int mayLose, Tally tally) {
    String wrong = states.getLast().mismatch(view);
    if (wrong == null) {
      if (view.unreadable() > 0) {
        tally.blocks++;
      } else {
        tally.intact++;
      }
      return;
    }
    for (int i = 1; i <= mayLose; i++) {
      if (states.get(states.size() - 1 - i).mismatch(view) == null) {
        tally.older++;
        return;
      }
    }
    throw new AssertionError(wrong);
  }

  // --- one volume
  // -----------------------------------------------------------------------------------

  private RedirectOnWriteEngine create() {
    RedirectOnWriteEngine engine = pool.format().open();
    engine.create(operation(), VolumeSpec.thin(VOLUME, 1 << 20));
    return engine;
  }

  private static PoolFixture pool() {
    return PoolFixture.ofBytes(16 << 20).readers(1);
  }

  private OperationId operation() {
    return new OperationId(new UUID(9, ++lastOperation));
  }

  /// Where the device holds the block that was made from this number.
  private long placeOf(long number) {
    for (long sector : device.storedSectors()) {
      ByteBuffer block = ByteBuffer.allocate(4096);
      if (sector % 4096 == 0) {
        device.read(sector, block);
        if (block.flip().equals(block(number))) {
          return sector;
        }
      }
    }
    throw new AssertionError("expected a block of number " + number + ", found none");
  }

  private static ByteBuffer block(long number) {
    ByteBuffer block = ByteBuffer.allocateDirect(4096);
    for (int i = 0; i < 4096; i += 8) {
      block.putLong(i, number + i);
    }
    return block;
  }

  private static void write(StorageEngine engine, long offset, ByteBuffer bytes) {
    Await.io(done -> engine.open(VOLUME).write(offset, bytes, done));
  }

  private static ByteBuffer read(StorageEngine engine, long offset, int length) {
    ByteBuffer into = ByteBuffer.allocateDirect(length);
    Await.io(done -> engine.open(VOLUME).read(offset, into, done));
    return into.flip();
  }
}

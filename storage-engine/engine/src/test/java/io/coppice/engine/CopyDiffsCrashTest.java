package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A copy of differences is there as a whole or not at all, whichever operation of the device it is
/// cut off at, and nothing of one that was cut off stays.
@ExtendWith(QuietEngine.class)
class CopyDiffsCrashTest {

  private static final int BLOCK = 4096;
  private static final EngineOptions OPTIONS = EngineOptions.defaults().withReaderThreads(2);

  // Several COPY records: of more than one slice of 4 MiB, and of an end that is no whole block.
  private static final int BLOCKS = 1500;
  private static final long SIZE = (long) BLOCKS * BLOCK + 512;

  private final VolumeId volume = new VolumeId(new UUID(1, 1));
  private final VolumeId base = new VolumeId(new UUID(1, 2));
  private final VolumeId destination = new VolumeId(new UUID(1, 3));
  private final OperationId operation = new OperationId(new UUID(2, 2));

  @Test
  void aCopyThatIsCutOffAnywhereHasHappenedAsAWholeOrNotAtAll() {
    int notDone = 0;
    int operations = 1;
    while (isCutOffAfter(operations)) {
      notDone++;
      operations++;
    }
    assertThat(notDone).as("cuts before the copy was there").isGreaterThan(2);
  }

  /// @return whether the copy had not happened
  private boolean isCutOffAfter(int operations) {
    SplittableRandom random = new SplittableRandom(operations);
    PoolFixture pool = used();
    // In every other run a checkpoint stands between any two records, so that stages are in it.
    RedirectOnWriteEngine engine =
        pool.open(operations % 2 == 0 ? OPTIONS.withCheckpointRecords(1) : OPTIONS);
    ByteBuffer before = content(engine, destination);
    ByteBuffer after = content(engine, volume);
    pool.device().losePowerAfter(operations);
    boolean acknowledged = copies(engine);
    engine.abandon();
    pool = pool.afterCrash(random).whole();

    engine = pool.open();
    boolean done = engine.remembers(operation);
    assertThat(done || !acknowledged).isTrue();
    assertThat(content(engine, destination).equals(done ? after : before))
        .as("cut off after %d operations, %s", operations, done ? "done" : "not done")
        .isTrue();
    assertThat(engine.list()).hasSize(3);
    byte[] later = bytes(random, BLOCK);
    write(engine, destination, 0, later);
    engine.abandon();
    pool = pool.afterCrash(random).whole();

    engine = pool.open();
    assertThat(copies(engine)).isTrue();
    after.put(0, done ? later : first(after));
    assertThat(content(engine, destination).equals(after)).isTrue();
    VolumeInfo[] all = engine.list().toArray(VolumeInfo[]::new);
    for (VolumeInfo info : all) {
      engine.delete(OperationId.random(), info.id());
    }
    engine.awaitReclaim();
    assertThat(engine.space().used()).isZero();
    engine.close();
    pool.whole();
    return !done;
  }

  private static byte[] first(ByteBuffer content) {
    byte[] block = new byte[BLOCK];
    content.get(0, block);
    return block;
  }

  private boolean copies(StorageEngine engine) {
    try {
      engine.copyDiffs(operation, volume, base, destination);
      return true;
    } catch (StorageException.DeviceFailed e) {
      return false;
    }
  }

  @Test
  void aCopyThatFindsNoSpaceLeavesTheDestinationAsItWas() {
    PoolFixture pool = used();
    RedirectOnWriteEngine engine = pool.open();
    ByteBuffer before = content(engine, destination);
    VolumeId filler = new VolumeId(new UUID(1, 9));
    engine.create(OperationId.random(), VolumeSpec.thin(filler, 1L << 30));
    SplittableRandom random = new SplittableRandom(9);
    long at = 0;
    for (int blocks : new int[] {256, 1}) {
      while (fits(engine, filler, at, bytes(random, blocks * BLOCK))) {
        at += blocks;
      }
    }

    assertThatThrownBy(() -> engine.copyDiffs(operation, volume, base, destination))
        .isInstanceOf(StorageException.OutOfSpace.class);

    assertThat(engine.remembers(operation)).isFalse();
    assertThat(content(engine, destination).equals(before)).isTrue();
    engine.delete(OperationId.random(), filler);
    engine.awaitReclaim();
    write(engine, destination, 0, bytes(random, BLOCK));
    assertThat(copies(engine)).isTrue();
    assertThat(content(engine, destination).equals(content(engine, volume))).isTrue();
    engine.close();
    pool.whole();
  }

  private static boolean fits(StorageEngine engine, VolumeId id, long block, byte[] bytes) {
    try {
      write(engine, id, block, bytes);
      return true;
    } catch (StorageException.OutOfSpace e) {
      return false;
    }
  }

  // ---- the pool

  private PoolFixture used() {
    SplittableRandom random = new SplittableRandom(5);
    PoolFixture pool = PoolFixture.ofBytes(48 << 20).options(OPTIONS).format();
    try (RedirectOnWriteEngine engine = pool.open()) {
      engine.create(OperationId.random(), VolumeSpec.thin(volume, SIZE));
      write(engine, volume, 0, bytes(random, 700 * BLOCK));
      engine.snapshot(
          OperationId.random(),
          List.of(new SnapshotSpec(volume, base, Map.of())),
          Duration.ofSeconds(60));
      engine.clone(OperationId.random(), new CloneSpec(base, destination, false, Map.of()));
      write(engine, volume, 0, bytes(random, 1200 * BLOCK));
      write(engine, volume, 1400, bytes(random, (int) (SIZE - 1400 * BLOCK)));
    }
    return pool;
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void write(StorageEngine engine, VolumeId id, long block, byte[] bytes) {
    Await.io(done -> engine.open(id).write(block * BLOCK, ByteBuffer.wrap(bytes), done));
  }

  private static ByteBuffer content(StorageEngine engine, VolumeId id) {
    ByteBuffer into = ByteBuffer.allocate((int) SIZE);
    Await.io(done -> engine.open(id).read(0, into, done));
    return into.flip();
  }
}

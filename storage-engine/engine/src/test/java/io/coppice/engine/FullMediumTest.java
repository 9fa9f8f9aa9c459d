package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.ThinDevice;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A pool whose device promises more than its medium has: out of space is all that it ever is, it
/// ends by itself, and nothing is lost.
class FullMediumTest {

  private static final long MIB = 1 << 20;
  private static final int PIECE = 16 << 10;
  private static final int PIECES = 2000;

  private final PoolFixture pool = PoolFixture.ofBytes(64 * MIB);
  private final SplittableRandom random = new SplittableRandom(3);
  private final Map<Integer, Long> acknowledged = new HashMap<>();
  private long stamp;

  private RedirectOnWriteEngine fresh(ThinDevice on) {
    return pool.behind(_ -> on).format().open();
  }

  private static VolumeId volume(StorageEngine engine) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), new VolumeSpec(id, (long) PIECES * PIECE, false, Map.of()));
    return id;
  }

  private static ByteBuffer content(int piece, long stamp) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
    SplittableRandom random = new SplittableRandom(stamp * PIECES + piece);
    while (bytes.hasRemaining()) {
      bytes.putLong(stamp == 0 ? 0 : random.nextLong());
    }
    return bytes.flip();
  }

  private void write(StorageEngine engine, VolumeId id) {
    int piece = random.nextInt(PIECES);
    long now = ++stamp;
    ByteBuffer bytes = content(piece, now);
    Await.io(done -> engine.open(id).write((long) piece * PIECE, bytes, done));
    acknowledged.put(piece, now);
  }

  private void unmap(StorageEngine engine, VolumeId id, int piece) {
    Await.io(done -> engine.open(id).unmap((long) piece * PIECE, PIECE, done));
    acknowledged.put(piece, 0L);
  }

  /// Writes until one is refused, which must be for want of space.
  private void fill(StorageEngine engine, VolumeId id) {
    Throwable refused = null;
    for (int i = 0; refused == null; i++) {
      assertThat(i).as("writes without a refusal").isLessThan(20 * PIECES);
      refused = catchThrowable(() -> write(engine, id));
    }
    assertThat(refused).isInstanceOf(StorageException.OutOfSpace.class);
  }

  /// Writes until so many have succeeded; nobody is told that there is space again.
  private void awaitWrites(StorageEngine engine, VolumeId id, int count) {
    long start = System.nanoTime();
    for (int done = 0; done < count; ) {
      try {
        write(engine, id);
        done++;
      } catch (StorageException.OutOfSpace full) {
        assertThat(System.nanoTime() - start).as("ns without space").isLessThan(60_000_000_000L);
        Thread.onSpinWait();
      }
    }
  }

  private void assertAllThere(StorageEngine engine, VolumeId id) {
    acknowledged.forEach(
        (piece, last) -> {
          ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE);
          Await.io(done -> engine.open(id).read((long) piece * PIECE, bytes, done));
          assertThat(bytes.flip()).as("piece %d", piece).isEqualTo(content(piece, last));
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFullMediumIsOutOfSpaceOnWritesOnlyAndUntilItHasSpace(boolean tells) {
    ThinDevice thin = new ThinDevice(pool.device(), 20 * MIB, tells);
    RedirectOnWriteEngine engine = fresh(thin);
    VolumeId id = volume(engine);

    for (int round = 0; round < 5; round++) {
      awaitWrites(engine, id, 50);
      thin.takeAll();
      if (!tells) {
        thin.refuse(true);
      }
      fill(engine, id);
      assertAllThere(engine, id);
      if (tells) {
        VolumeId copy = VolumeId.random();
        engine.clone(OperationId.random(), new CloneSpec(id, copy, false, Map.of()));
        engine.delete(OperationId.random(), copy);
        unmap(engine, id, round);
        engine.checkpoint();
        assertThat(thin.refusals()).as("writes that found no place").isZero();
        assertThat(engine.spaceLimit()).isPresent();
        assertThat(engine.space().capacity()).isLessThan(32 * MIB);
      }
      thin.refuse(false);
      thin.grow(4 * MIB);
      awaitWrites(engine, id, 50);
    }

    assertAllThere(engine, id);
    engine.close();
    RedirectOnWriteEngine again = pool.whole().open();
    assertAllThere(again, id);
    again.close();
  }

  @Test
  void whatWasAcknowledgedAroundAFullMediumSurvivesAPowerCut() {
    ThinDevice thin = new ThinDevice(pool.device(), 64 * MIB, false);
    RedirectOnWriteEngine engine = fresh(thin);
    VolumeId id = volume(engine);
    awaitWrites(engine, id, 100);
    thin.refuse(true);
    fill(engine, id);
    thin.refuse(false);
    awaitWrites(engine, id, 3);

    PoolFixture crashed = pool.afterCrash(new SplittableRandom(4));
    engine.abandon();
    RedirectOnWriteEngine again = crashed.open();

    assertAllThere(again, id);
    again.close();
    crashed.whole();
  }

  @RepeatedTest(20) // threads of the open and of the supply meet in many ways
  void whatCheckpointsNeedHasItsPlaceOnceAPoolIsOpen() {
    ThinDevice thin = new ThinDevice(pool.device(), 20 * MIB, true);
    try (RedirectOnWriteEngine engine = fresh(thin)) {
      thin.takeAll();
      VolumeId id = volume(engine);
      fill(engine, id);

      engine.checkpoint();
      unmap(engine, id, 0);
      engine.checkpoint();

      assertThat(thin.refusals()).as("writes that found no place").isZero();
      assertAllThere(engine, id);
    }
  }

  @Test
  void whatTheMediumHasIsAllThatAPoolPromises() {
    ThinDevice thin = new ThinDevice(pool.device(), 16 * MIB, true);

    try (RedirectOnWriteEngine engine = fresh(thin)) {
      Await.until("a limit", () -> engine.spaceLimit().isPresent());

      assertThat(engine.space().capacity()).isBetween(4 * MIB, 14 * MIB);
      assertThat(thin.placed() * 4096L).as("placed before it is needed").isLessThan(8 * MIB);
    }
  }
}

package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Locks of snapshots over restarts, changes of the clock, power losses and in a full pool.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class SnapshotLocksTest {

  private static final long MIB = 1 << 20;
  private static final int BLOCK = 4096;
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant WEEK = BEGIN.plus(Duration.ofDays(7));
  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 1));
  private static final VolumeId SNAPSHOT = new VolumeId(new UUID(0, 2));

  private final AtomicReference<Instant> clock = new AtomicReference<>(BEGIN);
  private final AtomicLong nanos = new AtomicLong();

  private PoolFixture pool() {
    return PoolFixture.ofBytes(24 * MIB).clock(clock::get).nanos(nanos::get).format();
  }

  private void run(Duration time) {
    clock.updateAndGet(now -> now.plus(time));
    nanos.addAndGet(time.toNanos());
  }

  private static void make(StorageEngine engine) {
    engine.create(OperationId.random(), new VolumeSpec(VOLUME, 2 * MIB, false, Map.of()));
    write(engine, VOLUME, 0, 1);
    engine.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(VOLUME, SNAPSHOT, Map.of())),
        Duration.ofSeconds(10));
  }

  private static void lock(StorageEngine engine, Instant until) {
    engine.locks().lock(OperationId.random(), SNAPSHOT, until);
  }

  private static void write(StorageEngine engine, VolumeId id, int block, long seed) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK);
    SplittableRandom random = new SplittableRandom(seed);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    Await.io(done -> engine.open(id).write((long) block * BLOCK, bytes.flip(), done));
  }

  private static ByteBuffer read(StorageEngine engine) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK);
    Await.io(done -> engine.open(SNAPSHOT).read(0, bytes, done));
    return bytes.flip();
  }

  private static void requireLocked(StorageEngine engine) {
    assertThatThrownBy(() -> engine.delete(OperationId.random(), SNAPSHOT))
        .isInstanceOf(StorageException.Locked.class);
  }

  @Test
  void aClockSetAYearAheadEndsNoLock() {
    PoolFixture pool = pool();
    RedirectOnWriteEngine engine = pool.open();
    make(engine);
    lock(engine, WEEK);

    clock.set(BEGIN.plus(Duration.ofDays(365)));
    requireLocked(engine);
    engine = pool.reopen();
    requireLocked(engine);
    run(Duration.ofDays(6));
    engine.locks().keep();
    engine = pool.reopen();
    requireLocked(engine);
    run(Duration.ofDays(1));

    engine.delete(OperationId.random(), SNAPSHOT);
    assertThat(engine.find(SNAPSHOT)).isEmpty();
    pool.close();
    pool.whole();
  }

  /// The lock time is stable before the lock.
  @Test
  void aPoolThatWasKilledRightAfterALockStillHoldsIt() {
    PoolFixture pool = pool();
    RedirectOnWriteEngine engine = pool.open();
    make(engine);
    run(Duration.ofDays(2));
    lock(engine, WEEK);
    engine.abandon();

    clock.set(BEGIN.plus(Duration.ofDays(365)));
    nanos.set(0);
    RedirectOnWriteEngine again = pool.open();

    requireLocked(again);
    assertThat(again.locks().now()).isEqualTo(BEGIN.plus(Duration.ofDays(2)));
    pool.close();
  }

  /// The power goes after each operation of the device, at locking and at lengthening: a lock that
  /// was acknowledged is there, and no crash leaves a shorter one.
  @Test
  void noCrashLosesALock() {
    for (Instant before : new Instant[] {BEGIN, WEEK}) {
      boolean acknowledged = false;
      for (int operations = 1; !acknowledged; operations++) {
        PoolFixture pool = pool();
        RedirectOnWriteEngine engine = pool.open();
        make(engine);
        if (before.isAfter(BEGIN)) {
          lock(engine, before);
        }
        ByteBuffer content = read(engine);
        pool.device().losePowerAfter(operations);
        Instant wished = WEEK.plus(Duration.ofDays(1));
        acknowledged = locks(engine, wished);
        engine.abandon();

        Instant kept = clock.get();
        clock.set(BEGIN.plus(Duration.ofDays(365)));
        PoolFixture found = pool.afterCrash(new SplittableRandom(operations)).whole();
        try (RedirectOnWriteEngine again = found.open()) {
          Instant until =
              again.locks().lockedUntil(again.find(SNAPSHOT).orElseThrow()).orElse(BEGIN);
          assertThat(until).isIn(acknowledged ? List.of(wished) : List.of(before, wished));
          if (until.isAfter(BEGIN)) {
            requireLocked(again);
          }
          assertThat(read(again)).isEqualTo(content);
        }
        clock.set(kept);
      }
    }
  }

  private static boolean locks(StorageEngine engine, Instant until) {
    try {
      lock(engine, until);
      return true;
    } catch (StorageException.DeviceFailed e) {
      return false;
    }
  }

  @Test
  void aPoolFullOfLockedCopiesRefusesWritesAndKeepsThem() {
    PoolFixture pool = pool();
    RedirectOnWriteEngine engine = pool.open();
    make(engine);
    lock(engine, WEEK);
    ByteBuffer content = read(engine);
    VolumeId big = VolumeId.random();
    engine.create(OperationId.random(), new VolumeSpec(big, 64 * MIB, false, Map.of()));

    assertThatThrownBy(() -> fill(engine, big)).isInstanceOf(StorageException.OutOfSpace.class);
    requireLocked(engine);
    engine.locks().keep();
    assertThat(read(engine)).isEqualTo(content);
    pool.close();
    pool.whole();
  }

  private static void fill(StorageEngine engine, VolumeId volume) {
    for (int block = 0; ; block++) {
      write(engine, volume, block, block + 2);
    }
  }
}

package io.coppice.engine;

import io.coppice.engine.StorageException.DeviceFailed;
import io.coppice.engine.clean.CleaningSettings;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.FailStopDevice;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.CrashModel;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One seed: a pool that is worked on until its device loses power or fails, recovers, is compared
/// with the model, and again.
final class CrashRun {

  // The smaller ones are full before long, wait for the cleaner and use every zone again and again.
  private static final long[] DEVICE_BYTES = {7L << 20, 10L << 20, 24L << 20};
  private static final int CRASHES = 4;

  private static final VolumeId UNKNOWN = new VolumeId(new UUID(0, 0));

  private final SplittableRandom random;
  private final CrashModel model;
  private final boolean onTwo;
  private PoolFixture pool;
  private long moved;
  private long movedWithLittle;
  private boolean littleMemory;

  /// @param mirrored whether the pool is on two devices in any case
  CrashRun(long seed, boolean mirrored) {
    this.random = new SplittableRandom(seed);
    this.model = new CrashModel(random.split());
    long bytes = DEVICE_BYTES[random.nextInt(DEVICE_BYTES.length)];
    this.onTwo = random.nextInt(3) == 0 || mirrored;
    this.pool = onTwo ? PoolFixture.mirrored(bytes) : PoolFixture.ofBytes(bytes);
  }

  /// @return how many crashes it went through
  /// @throws AssertionError if an acknowledged change is missing or something else is there
  int run() {
    pool.named(new UUID(random.nextLong(), random.nextLong())).format();
    int crashes = 0;
    for (int i = 0; i < CRASHES; i++) {
      crashes += workUntilCrash();
    }
    try (StorageEngine engine = open()) {
      model.verify(engine);
      model.deleteEverything(engine);
    }
    pool.whole();
    return crashes;
  }

  /// Blocks that the cleaner moved.
  long moved() {
    return moved;
  }

  /// Those of them that were moved when next to nothing of the pages fitted into memory.
  long movedWithLittleMemory() {
    return movedWithLittle;
  }

  private int workUntilCrash() {
    RedirectOnWriteEngine engine = open();
    model.verify(engine);
    // One of two that fails stops nothing, if both held everything until then.
    boolean redundant = engine.mirror().map(MirrorStatus::isRedundant).orElse(false);
    failAfter(1 + random.nextInt(random.nextInt(4) == 0 ? 200 : 40));
    DeviceFailed stopped = model.work(engine, 60);
    boolean failed = anyDevice(SimulatedBlockDevice::hasFailed);
    boolean mustStop = onTwo ? anyDevice(SimulatedBlockDevice::powerIsLost) : failed;
    if (mustStop) {
      expectStopped(engine);
    } else if (stopped != null && (!onTwo || redundant)) {
      throw new AssertionError("the pool stopped although a device is well: " + stopped, stopped);
    }
    engine.abandon();
    moved += engine.cleaned().blocksMoved();
    movedWithLittle += littleMemory ? engine.cleaned().blocksMoved() : 0;
    if (pool.devices().stream().allMatch(SimulatedBlockDevice::canGoOn) && random.nextBoolean()) {
      restart();
    }
    crash();
    return (failed ? 1 : 0) + crashDuringRecovery();
  }

  private boolean anyDevice(Predicate<SimulatedBlockDevice> is) {
    return pool.devices().stream().anyMatch(is);
  }

  private void crash() {
    pool = pool.afterCrash(random).whole();
  }

  /// The process ends, the device has power: what recovery finds in its cache and lets be seen must
  /// outlive the crash that comes next.
  private void restart() {
    pool.devices().forEach(SimulatedBlockDevice::forgetFaults);
    RedirectOnWriteEngine engine = open();
    model.verify(engine);
    engine.abandon();
  }

  private int crashDuringRecovery() {
    if (random.nextInt(5) != 0) {
      return 0;
    }
    failAfter(1 + random.nextInt(6));
    try {
      open().abandon();
    } catch (DeviceFailed | StorageException.PoolUnusable e) {
      // The device failed while it was opened: what the next open finds is the point of the test.
    }
    boolean failed = anyDevice(SimulatedBlockDevice::hasFailed);
    crash();
    return failed ? 1 : 0;
  }

  /// Of ten, six lose power; in the others one write fails, one sync, or every sync from then on,
  /// of one device, or one sync of all, of which other calls hear nothing until a moment later.
  private void failAfter(int operations) {
    boolean isSecond = onTwo && random.nextBoolean();
    SimulatedBlockDevice one = isSecond ? pool.second() : pool.device();
    switch (random.nextInt(10)) {
      case 0 -> one.failWrite(operations);
      case 1 -> one.failSync(operations);
      case 2 -> one.failSyncs(operations);
      case 3 -> {
        one.failSyncAlone(operations);
        one.tellFailuresLate(20);
      }
      default -> {
        if (onTwo) {
          one.sharePowerWith(isSecond ? pool.device() : pool.second());
        }
        one.losePowerAfter(operations);
      }
    }
  }

  /// A pool whose device has failed notices it, acknowledges nothing more and says why.
  private void expectStopped(RedirectOnWriteEngine engine) {
    if (onTwo) {
      // The one that was being filled may be all that has met it: the next write does.
      refusal(engine::checkpoint);
    }
    OperationId operation = new OperationId(new UUID(random.nextLong(), random.nextLong()));
    Await.until(
        "the pool stops", () -> refusal(() -> engine.open(UNKNOWN)) instanceof DeviceFailed);
    for (Runnable call :
        List.<Runnable>of(
            () -> engine.create(operation, VolumeSpec.thin(UNKNOWN, 1 << 20)),
            () -> engine.records().apply(operation, List.of(new RecordChange.Put("a", "b"))))) {
      StorageException refusal = refusal(call);
      if (!(refusal instanceof DeviceFailed)
          || !refusal.getMessage().contains("The pool stopped")) {
        throw new AssertionError("expected a pool that stopped to say so, got " + refusal, refusal);
      }
    }
  }

  private static @Nullable StorageException refusal(Runnable call) {
    try {
      call.run();
      return null;
    } catch (StorageException e) {
      return e;
    }
  }

  // Checkpoints as often as every few records, so that crashes fall into them, too.
  private EngineOptions options() {
    long memory = MapMemory.any(random);
    littleMemory = memory < EngineOptions.defaults().resources().mapMemoryBytes();
    return EngineOptions.defaults()
        .withReaderThreads(1)
        .withMapMemoryBytes(memory)
        .withCleaning(new CleaningSettings(random.nextInt(3) == 0 ? 25 : 100, 85, 1, 1, 1000, 200))
        .withCheckpointRecords(random.nextInt(3) == 0 ? 100_000 : 5 + random.nextInt(60));
  }

  private RedirectOnWriteEngine open() {
    return pool.behind(FailStopDevice::new).open(options());
  }
}

package io.coppice.engine;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolFormat;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.CrashModel;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.UUID;

/// One seed: a pool that is worked on, loses power, recovers, is compared with the model, and
/// again.
final class CrashRun {

  private static final long DEVICE_BYTES = 24L << 20;
  private static final int ZONE_BYTES = 256 << 10;
  private static final int CRASHES = 4;
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));

  private final SplittableRandom random;
  private final CrashModel model;
  private SimulatedBlockDevice device = new SimulatedBlockDevice(DEVICE_BYTES);

  CrashRun(long seed) {
    this.random = new SplittableRandom(seed);
    this.model = new CrashModel(random.split());
  }

  /// @return how many crashes it went through
  /// @throws AssertionError if an acknowledged change is missing or something else is there
  int run() {
    RedirectOnWriteEngine.format(
        device,
        new PoolFormat(
            new UUID(random.nextLong(), random.nextLong()), ZONE_BYTES, CLOCK.instant()));
    int crashes = 0;
    for (int i = 0; i < CRASHES; i++) {
      crashes += workUntilCrash();
    }
    try (StorageEngine engine = open()) {
      model.verify(engine);
      model.deleteEverything(engine);
    }
    return crashes;
  }

  private int workUntilCrash() {
    RedirectOnWriteEngine engine = open();
    model.verify(engine);
    device.losePowerAfter(1 + random.nextInt(random.nextInt(4) == 0 ? 200 : 40));
    model.work(engine, 60);
    boolean lost = device.powerIsLost();
    engine.abandon();
    device = device.afterCrash(random);
    return (lost ? 1 : 0) + crashDuringRecovery();
  }

  private int crashDuringRecovery() {
    if (random.nextInt(5) != 0) {
      return 0;
    }
    device.losePowerAfter(1 + random.nextInt(6));
    try {
      open().abandon();
    } catch (StorageException.DeviceFailed | StorageException.PoolUnusable e) {
      // The power went while it was opened: what the next open finds is the point of the test.
    }
    boolean lost = device.powerIsLost();
    device = device.afterCrash(random);
    return lost ? 1 : 0;
  }

  // Checkpoints as often as every few records, so that crashes fall into them, too.
  private EngineOptions options() {
    return EngineOptions.defaults()
        .withReaderThreads(1)
        .withCheckpointRecords(random.nextInt(3) == 0 ? 100_000 : 5 + random.nextInt(60));
  }

  private RedirectOnWriteEngine open() {
    return RedirectOnWriteEngine.open(device, options(), CLOCK);
  }
}

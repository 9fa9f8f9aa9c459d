package io.coppice.scsi;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;

/// Pools of the real engine that are soon full.
final class SmallPools {

  private SmallPools() {}

  /// A fresh one of 32 MiB, in memory.
  static StorageEngine open() {
    SimulatedBlockDevice device = new SimulatedBlockDevice(32 << 20);
    RedirectOnWriteEngine.format(
        device, new PoolFormat(UUID.randomUUID(), 256 << 10, Instant.EPOCH));
    return RedirectOnWriteEngine.open(device, EngineOptions.defaults(), InstantSource.system());
  }
}

package io.coppice.engine;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolFormat;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;

/// The real engine keeps the contract.
class RedirectOnWriteEngineContractTest extends SharingContract {

  private static final InstantSource CLOCK = InstantSource.system();

  private SimulatedBlockDevice device = new SimulatedBlockDevice(MIB);

  @Override
  StorageEngine fresh(long capacityInBytes) {
    device = new SimulatedBlockDevice(capacityInBytes);
    RedirectOnWriteEngine.format(
        device, new PoolFormat(UUID.randomUUID(), 256 << 10, Instant.EPOCH));
    return RedirectOnWriteEngine.open(device, EngineOptions.defaults(), CLOCK);
  }

  @Override
  StorageEngine reopened(StorageEngine engine) {
    engine.close();
    return RedirectOnWriteEngine.open(device, EngineOptions.defaults(), CLOCK);
  }
}

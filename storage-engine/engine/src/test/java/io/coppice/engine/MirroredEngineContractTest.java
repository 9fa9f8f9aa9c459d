package io.coppice.engine;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;

/// The engine on two devices keeps the contract.
class MirroredEngineContractTest extends SharingContract {

  private static final InstantSource CLOCK = InstantSource.system();

  private SimulatedBlockDevice first = new SimulatedBlockDevice(MIB);
  private SimulatedBlockDevice second = new SimulatedBlockDevice(MIB);

  @Override
  StorageEngine fresh(long capacityInBytes) {
    first = new SimulatedBlockDevice(capacityInBytes);
    second = new SimulatedBlockDevice(capacityInBytes);
    RedirectOnWriteEngine.format(
        first, second, new PoolFormat(UUID.randomUUID(), 256 << 10, Instant.EPOCH));
    return opened();
  }

  @Override
  StorageEngine reopened(StorageEngine engine) {
    engine.close();
    return opened();
  }

  private StorageEngine opened() {
    return RedirectOnWriteEngine.open(first, second, EngineOptions.defaults(), CLOCK);
  }
}

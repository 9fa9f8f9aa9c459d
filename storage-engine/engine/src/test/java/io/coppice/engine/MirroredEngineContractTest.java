package io.coppice.engine;

import io.coppice.engine.testing.PoolFixture;

/// The engine on two devices keeps the contract.
class MirroredEngineContractTest extends SharingContract {

  private PoolFixture pool = PoolFixture.mirrored(MIB);

  @Override
  StorageEngine fresh(long capacityInBytes) {
    pool = PoolFixture.mirrored(capacityInBytes);
    return pool.format().open();
  }

  @Override
  StorageEngine reopened(StorageEngine engine) {
    engine.close();
    return pool.open();
  }
}

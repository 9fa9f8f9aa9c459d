package io.coppice.scsi;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.testing.PoolFixture;

/// Pools of the real engine that are soon full.
final class SmallPools {

  private SmallPools() {}

  /// A fresh one of 32 MiB, in memory.
  static StorageEngine open() {
    return PoolFixture.ofBytes(32 << 20).format().open();
  }
}

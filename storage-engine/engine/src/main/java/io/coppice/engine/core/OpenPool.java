package io.coppice.engine.core;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.Committer;
import io.coppice.engine.log.Log;

/// The parts of a pool that is open, wired together.
///
/// @param gate admission by space
/// @param blocks applies data records
/// @param admission of what changes content
/// @param spares I/Os to be used again
/// @param catalog checks and applies changes
/// @param questions that the committer answers
record OpenPool(
    PoolState state,
    Log log,
    Committer committer,
    SpaceGate gate,
    BlockChanges blocks,
    CatalogChanges catalog,
    BlockReads reads,
    Admission admission,
    Tally tally,
    Questions questions,
    SpareIos spares,
    Shutter shutter) {

  /// Refuses what comes after the pool was closed or has failed.
  static final class Shutter {

    private volatile @org.jspecify.annotations.Nullable StorageException reason;

    void close(StorageException why) {
      if (reason == null) {
        reason = why;
      }
    }

    /// @throws StorageException.DeviceFailed if the pool is closed or has failed
    void check() {
      StorageException why = reason;
      if (why != null) {
        throw Rethrown.here(why);
      }
    }
  }
}

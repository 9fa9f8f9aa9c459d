package io.coppice.app;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.core.PoolFormat;
import java.nio.file.Path;
import java.time.InstantSource;

/// The pool of this Coppice: made at the first start, opened ever after.
final class PoolFolder {

  private PoolFolder() {}

  /// Opens the pool in `directory`, and makes it first where there is none.
  ///
  /// @throws StorageException.PoolUnusable if it can be neither opened nor made
  static StorageEngine open(Path directory, long capacityInBytes, EngineOptions options) {
    if (!PoolDirectory.holdsPool(directory, options)) {
      PoolDirectory.create(
          directory, capacityInBytes, PoolFormat.withDefaults(InstantSource.system().instant()));
    }
    return PoolDirectory.open(directory, options);
  }
}

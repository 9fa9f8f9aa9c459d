package io.coppice.app.pool;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.superblock.NewPool;
import java.nio.file.Path;
import java.util.function.Consumer;

/// The pool of this Coppice: made at the first start, opened ever after.
public final class PoolFolder {

  private PoolFolder() {}

  /// Opens the pool in `directory`. Makes it first if there is none.
  ///
  /// @param made receives the description of a new pool
  /// @throws StorageException.PoolUnusable if it can be neither opened nor made
  public static StorageEngine open(
      Path directory, NewPool asked, EngineOptions options, Consumer<String> made) {
    if (!PoolDirectory.holdsPool(directory, options)) {
      made.accept(PoolDirectory.create(directory, asked));
    }
    return PoolDirectory.open(directory, options);
  }
}

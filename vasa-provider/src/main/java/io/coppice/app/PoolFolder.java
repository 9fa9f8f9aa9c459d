package io.coppice.app;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.core.PoolFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/// The pool of this Coppice: made at the first start, opened ever after.
final class PoolFolder {

  /// What is read to tell a pool from the file of a start that was cut off while it made one, in
  /// bytes.
  private static final int HEAD = 1 << 20;

  private PoolFolder() {}

  /// Opens the pool in `directory`, and makes it first where there is none.
  ///
  /// A start that is cut off while it makes the pool leaves a file of zeros; the next start writes
  /// over it.
  ///
  /// @throws StorageException.PoolUnusable if it can be neither opened nor made
  static StorageEngine open(Path directory, long capacityInBytes) {
    if (!holdsPool(directory)) {
      PoolDirectory.create(
          directory, capacityInBytes, PoolFormat.withDefaults(InstantSource.system().instant()));
    }
    return PoolDirectory.open(directory, EngineOptions.defaults());
  }

  private static boolean holdsPool(Path directory) {
    Path pool = directory.resolve("pool");
    try {
      Files.createDirectories(directory);
      return Files.exists(pool) && !startsWithZeros(pool);
    } catch (IOException e) {
      throw new StorageException.PoolUnusable(
          "expected to be able to write the pool directory %s: %s".formatted(directory, e), e);
    }
  }

  private static boolean startsWithZeros(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      for (byte each : in.readNBytes(HEAD)) {
        if (each != 0) {
          return false;
        }
      }
    }
    return true;
  }
}

package io.coppice.bench.engine;

import io.coppice.bench.DiskFiles;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.core.PoolFormat;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.harness.Folders;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;

/// What every group of measurements works with.
///
/// @param folder on the disk that is measured
record Stage(Path folder, Sizes sizes, DiskCounter disk, Report report, Leftovers leftovers) {

  /// Makes a pool whose file is written over once, runs `work` on it and removes it.
  void withPool(long bytes, Consumer<Bed> work) {
    int mark = leftovers.mark();
    Path directory = newPool("pool", bytes);
    try (StorageEngine engine = PoolDirectory.open(directory, EngineOptions.defaults())) {
      work.accept(new Bed(whole(engine)));
    } finally {
      leftovers.undoTo(mark);
    }
  }

  /// Makes a pool whose file is written over once; it is among the leftovers.
  Path newPool(String name, long bytes) {
    report.progress("writing over a pool's file of %d GiB once ...".formatted(bytes >> 30));
    try {
      Path directory = Files.createDirectory(folder.resolve(name));
      leftovers.add("remove " + directory, () -> Folders.delete(directory));
      PoolDirectory.create(directory, bytes, PoolFormat.withDefaults(Instant.now()));
      DiskFiles.writeOver(directory.resolve("pool"));
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RedirectOnWriteEngine whole(StorageEngine engine) {
    if (engine instanceof RedirectOnWriteEngine whole) {
      return whole;
    }
    throw new Mismatch("expected the engine that a pool's directory holds, got " + engine);
  }

  /// A file of random data; it is among the leftovers.
  FioSubject rawFile(long bytes) {
    Path file = folder.resolve("raw.img");
    leftovers.add("remove " + file, () -> Files.deleteIfExists(file));
    FioSubject raw = new FioSubject("raw file", file, bytes);
    raw.fill();
    return raw;
  }
}

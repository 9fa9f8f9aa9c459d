package io.coppice.bench.engine.stage;

import io.coppice.bench.DiskFiles;
import io.coppice.bench.Leftovers;
import io.coppice.bench.report.Report;
import io.coppice.bench.subject.FioSubject;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.AllocationState;
import io.coppice.engine.device.FileBlockDevice;
import io.coppice.engine.device.Medium;
import io.coppice.engine.superblock.NewPool;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.supply.Provisioning;
import io.coppice.engine.thread.Uninterrupted;
import io.coppice.harness.Folders;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/// The stage of every group of measurements.
///
/// @param folder on the disk that is measured
public record Stage(
    Path folder, Sizes sizes, DiskCounter disk, Report report, Leftovers leftovers) {

  /// Zones that the log, checkpoints and the superblocks have: those are not prepared.
  private static final int UNPREPARED = 16;

  private static final Duration PREPARED = Duration.ofMinutes(5);

  /// Makes a pool whose file is written over once, runs `work` on it and removes it.
  public void withPool(long bytes, Consumer<Bed> work) {
    withPool(bytes, EngineOptions.defaults(), work);
  }

  /// As above, with other options.
  public void withPool(long bytes, EngineOptions options, Consumer<Bed> work) {
    int mark = leftovers.mark();
    Path directory = newPool("pool", bytes);
    try (StorageEngine engine = PoolDirectory.open(directory, options)) {
      work.accept(new Bed(whole(engine)));
    } finally {
      leftovers.undoTo(mark);
    }
  }

  /// Makes a pool as `coppice up` does, but for what is prepared of it; runs `work` on it when that
  /// is, and removes it.
  ///
  /// @param all whether all of it is prepared; else nothing is
  public void withNewPool(long bytes, boolean all, Consumer<Bed> work) {
    int mark = leftovers.mark();
    try {
      Path directory = Files.createDirectory(folder.resolve("new-pool"));
      leftovers.add("remove " + directory, () -> Folders.delete(directory));
      PoolFormat format = PoolFormat.withDefaults(Instant.now());
      PoolDirectory.create(directory, new NewPool(bytes, false, null, format));
      Provisioning how = new Provisioning(false, 0, 100, all);
      try (StorageEngine engine =
          PoolDirectory.open(directory, EngineOptions.defaults().withProvisioning(how))) {
        if (all) {
          report.progress("waiting until a pool of %d GiB is prepared ...".formatted(bytes >> 30));
          awaitWritten(directory.resolve("pool"), format.zoneSizeInBytes());
        }
        work.accept(new Bed(whole(engine)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      leftovers.undoTo(mark);
    }
  }

  /// Until all zones were written but the few that are kept for others.
  private static void awaitWritten(Path pool, int zoneSize) {
    long start = System.nanoTime();
    try (FileBlockDevice device = FileBlockDevice.open(pool)) {
      Medium medium = device.medium();
      long zones = device.sizeInBytes() / zoneSize;
      long written = 0;
      while (medium != null && written < zones - UNPREPARED) {
        if (System.nanoTime() - start > PREPARED.toNanos()) {
          throw new Mismatch(
              "expected a prepared pool, %d of %d zones are".formatted(written, zones));
        }
        Uninterrupted.await(() -> TimeUnit.MILLISECONDS.sleep(200));
        written =
            LongStream.range(0, zones)
                .filter(i -> medium.backing(i * zoneSize, zoneSize) == AllocationState.WRITTEN)
                .count();
      }
    }
  }

  /// Makes a pool whose file is written over once; it is among the leftovers.
  public Path newPool(String name, long bytes) {
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

  public static RedirectOnWriteEngine whole(StorageEngine engine) {
    if (engine instanceof RedirectOnWriteEngine whole) {
      return whole;
    }
    throw new Mismatch("expected the engine that a pool's directory holds, got " + engine);
  }

  /// A file of random data; it is among the leftovers.
  public FioSubject rawFile(long bytes) {
    Path file = folder.resolve("raw.img");
    leftovers.add("remove " + file, () -> Files.deleteIfExists(file));
    FioSubject raw = new FioSubject("raw file", file, bytes);
    raw.fill();
    return raw;
  }
}

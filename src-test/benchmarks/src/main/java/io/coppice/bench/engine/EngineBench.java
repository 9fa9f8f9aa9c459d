package io.coppice.bench.engine;

import io.coppice.bench.DiskFiles;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.core.PoolFormat;
import io.coppice.harness.Commands;
import io.coppice.harness.Folders;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/// `coppice bench engine`: the engine in this process beside the raw file driven by fio,
/// interleaved, medians and ratios as Markdown rows.
public final class EngineBench {

  private static final long DISK = 2L << 30;
  private static final long POOL = 16L << 30;
  private static final int ROUNDS = 5;
  private static final Duration TIME = Duration.ofSeconds(2);
  private static final long MILLION = 1_000_000;

  private EngineBench() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 0) {
      System.err.println(
          "coppice bench engine: expected no option, got " + Arrays.toString(arguments));
      System.exit(2);
    }
    if (!Commands.exists("fio")) {
      System.err.println(
          "coppice bench engine: needs fio for the baseline; install it (package fio)");
      System.exit(2);
    }
    Path folder = Files.createTempDirectory("coppice-bench");
    Path raw = folder.resolve("raw.img");
    Path pool = Files.createDirectory(folder.resolve("pool"));
    try {
      PoolDirectory.create(pool, POOL, PoolFormat.withDefaults(Instant.now()));
      System.out.println("writing over the pool's file once ...");
      DiskFiles.writeOver(pool.resolve("pool"));
      try (StorageEngine engine = PoolDirectory.open(pool, EngineOptions.defaults())) {
        measure(new Bed(engine), raw);
      }
    } finally {
      Folders.delete(folder);
    }
  }

  private static void measure(Bed bed, Path raw) {
    System.out.println("filling 2 GiB of random data twice ...");
    VolumeId id = bed.volume(DISK);
    EngineSubject engine = new EngineSubject(bed.engine().open(id), DISK);
    FioSubject file = new FioSubject("raw file, O_DSYNC", raw, DISK);
    engine.fill();
    file.fill();

    Rounds rounds = new Rounds(ROUNDS, TIME, System.out);
    rounds.header();
    rounds.compare(Load.randomRead(1), engine, file);
    rounds.compare(Load.randomRead(32), engine, file);
    rounds.compare(Load.sequential(100), engine, file);
    rounds.compare(Load.sequential(0), engine, file);
    rounds.compare(Load.randomWrite(1), engine, file);
    rounds.compare(Load.randomWrite(32), engine, file);
    rounds.compare(Load.mixed(16), engine, file);
    allocation(engine);
    new SnapshotEffect(bed, id, engine, System.out).measure(Load.randomWrite(16));
    new CopyCosts(bed, System.out).measure();
    new RangeCosts(bed, System.out).measure(id, DISK);
  }

  private static void allocation(EngineSubject engine) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (Load load : List.of(Load.randomWrite(32), Load.randomRead(32))) {
      long before = threads.getTotalThreadAllocatedBytes();
      engine.run(load, MILLION);
      long allocated = threads.getTotalThreadAllocatedBytes() - before;
      System.out.printf(
          "%nbytes allocated per I/O over a million, %s: %.0f%n",
          load.name(), (double) allocated / MILLION);
    }
  }
}

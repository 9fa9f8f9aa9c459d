package io.coppice.bench.engine;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.core.PoolFormat;
import io.coppice.harness.Folders;
import io.coppice.harness.Mismatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// What it takes to open a pool whose process was killed while it wrote: a pool with 10 GiB and one
/// with 1 TiB mapped, every 2 MiB by a leaf of its own, each with 1,000 clones. A process of its
/// own writes 4 KiB at random places at depth 32 and is killed; then the pool is opened.
public final class OpenCosts {

  private static final long GIB = 1L << 30;
  private static final long POOL = 24 * GIB;
  private static final int STEP = 16 << 20;
  private static final int CLONES = 1_000;
  private static final Duration WRITING = Duration.ofSeconds(6);
  private static final VolumeId VOLUME = new VolumeId(new UUID(5, 5));
  private static final String READY = "writing";

  private OpenCosts() {}

  /// Rounds: small and large, one after the other.
  ///
  /// @param small seconds from the call of open to the engine that answers, 10 GiB mapped
  /// @param large the same, 1 TiB mapped
  public record Seconds(List<Double> small, List<Double> large) {}

  /// `main` of the bench: the number of rounds (default 5); `write FOLDER` is the process that is
  /// killed.
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length == 2 && arguments[0].equals("write")) {
      write(Path.of(arguments[1]));
      return;
    }
    int rounds = arguments.length == 0 ? 5 : Integer.parseInt(arguments[0]);
    Path folder = Files.createTempDirectory("coppice-open");
    try {
      Seconds seconds = measure(folder, rounds);
      double small = Figures.median(seconds.small);
      double large = Figures.median(seconds.large);
      System.out.printf(
          "| Open after kill -9, 1,000 clones | seconds, median of %d |%n|---|---|%n", rounds);
      System.out.printf("| 10 GiB mapped | %.2f %s |%n", small, seconds.small);
      System.out.printf("| 1 TiB mapped | %.2f %s |%n", large, seconds.large);
      System.out.printf("| ratio (aim: at most 1.3) | %.2f |%n", large / small);
    } finally {
      Folders.delete(folder);
    }
  }

  /// @param folder takes two pools, about 15 GiB together
  public static Seconds measure(Path folder, int rounds) throws IOException, InterruptedException {
    Path small = prepare(folder.resolve("small"), 10 * GIB);
    Path large = prepare(folder.resolve("large"), 1024 * GIB);
    Seconds seconds = new Seconds(new ArrayList<>(), new ArrayList<>());
    for (int round = 0; round < rounds; round++) {
      seconds.small.add(killAndOpen(small));
      seconds.large.add(killAndOpen(large));
    }
    return seconds;
  }

  private static Path prepare(Path folder, long mapped) throws IOException {
    Files.createDirectory(folder);
    PoolDirectory.create(folder, POOL, PoolFormat.withDefaults(Instant.now()));
    try (StorageEngine engine = PoolDirectory.open(folder, EngineOptions.defaults())) {
      engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, mapped));
      Volume volume = engine.open(VOLUME);
      byte[] block = new byte[4096];
      Random random = new Random(mapped);
      for (long at = 0; at < mapped; at += STEP) {
        random.nextBytes(block);
        long offset = at;
        Bed.await(done -> volume.writeSame(offset, STEP, ByteBuffer.wrap(block), done));
      }
      Bed bed = new Bed(Stage.whole(engine));
      VolumeId snapshot = bed.snapshot(VOLUME);
      for (int i = 0; i < CLONES; i++) {
        bed.clone(snapshot);
      }
    }
    return folder;
  }

  private static double killAndOpen(Path folder) throws IOException, InterruptedException {
    Process writer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                OpenCosts.class.getName(),
                "write",
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = writer.inputReader(StandardCharsets.UTF_8)) {
      String line = out.readLine();
      if (!READY.equals(line)) {
        throw new Mismatch("expected the process to write, it said " + line);
      }
      if (writer.waitFor(WRITING.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new Mismatch("expected the process to write until it is killed, it ended");
      }
    } finally {
      writer.destroyForcibly().waitFor();
    }
    long start = System.nanoTime();
    try (StorageEngine engine = PoolDirectory.open(folder, EngineOptions.defaults())) {
      engine.open(VOLUME).read(0, ByteBuffer.allocateDirect(4096));
      return (System.nanoTime() - start) / 1e9;
    }
  }

  private static void write(Path folder) {
    try (StorageEngine engine = PoolDirectory.open(folder, EngineOptions.defaults())) {
      Volume volume = engine.open(VOLUME);
      long size =
          engine.list().stream()
              .filter(info -> info.id().equals(VOLUME))
              .findFirst()
              .orElseThrow()
              .sizeInBytes();
      System.out.println(READY);
      System.out.flush();
      new EngineSubject(volume, size).run(Load.randomWrite(32), Duration.ofDays(1));
    }
  }
}

package io.coppice.bench.engine.journal;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.engine.AwaitedIo;
import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.FileBlockDevice;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.engine.journal.JournalTier;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.harness.Folders;
import io.coppice.kit.Spread;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/// A million points, whose seconds pass as fast as the engine is: their memory, cuts, pages and
/// ways back.
public final class JournalPoints implements Group {

  private static final int BLOCK = 4096;
  private static final int VOLUME_BLOCKS = 4096;
  private static final int TIMES = 21;
  private static final int PAGE = 100;
  private static final int MOST_BYTES = 200;
  private static final Duration EVERY = Duration.ofSeconds(5);

  @Override
  public String name() {
    return "journals: points";
  }

  @Override
  public void run(Stage stage) throws IOException {
    int volumes = stage.sizes().volumesOfJournals();
    stage
        .report()
        .group(
            "A million points",
            "%,d volumes of 16 MiB with one tier, one write of 4 KiB and a cut of all for each, the memory of the process before and after; then medians of %d."
                .formatted(volumes, TIMES));
    measure(stage, volumes, stage.sizes().million() / volumes);
  }

  private static void measure(Stage stage, int volumes, int rounds) throws IOException {
    int mark = stage.leftovers().mark();
    Path file = stage.folder().resolve("journal-pool");
    stage.leftovers().add("remove " + file, () -> Folders.delete(file));
    AtomicLong nanos = new AtomicLong();
    try {
      format(file, stage.sizes().poolBytes());
      List<VolumeId> ids = new ArrayList<>();
      try (RedirectOnWriteEngine engine = open(file, nanos)) {
        fill(new Bed(engine), volumes, ids);
        cuts(stage, engine, ids, rounds, nanos);
        ways(stage, engine, ids.getFirst());
      }
      long start = System.nanoTime();
      try (RedirectOnWriteEngine engine = open(file, nanos)) {
        double seconds = (System.nanoTime() - start) / 1e9;
        stage.report().row(Row.of("open with all points", "%.2f s".formatted(seconds)));
        ways(stage, engine, ids.getLast());
      }
    } finally {
      stage.leftovers().undoTo(mark);
    }
  }

  private static void format(Path file, long bytes) throws IOException {
    try (RandomAccessFile sized = new RandomAccessFile(file.toFile(), "rw")) {
      sized.setLength(bytes);
    }
    try (FileBlockDevice device = FileBlockDevice.open(file)) {
      RedirectOnWriteEngine.format(device, PoolFormat.withDefaults(Instant.now()).fittedTo(bytes));
      device.sync();
    }
  }

  private static RedirectOnWriteEngine open(Path file, AtomicLong nanos) {
    Instant begin = Instant.now();
    return RedirectOnWriteEngine.open(
        FileBlockDevice.open(file),
        null,
        EngineOptions.defaults(),
        () -> begin.plusNanos(nanos.get()),
        nanos::get);
  }

  private static void fill(Bed bed, int volumes, List<VolumeId> ids) {
    for (int i = 0; i < volumes; i++) {
      VolumeId id = bed.volume((long) VOLUME_BLOCKS * BLOCK);
      bed.filled(id, (long) VOLUME_BLOCKS * BLOCK);
      ids.add(id);
    }
    bed.engine().checkpoint();
  }

  private static void cuts(
      Stage stage, RedirectOnWriteEngine engine, List<VolumeId> ids, int rounds, AtomicLong nanos) {
    long before = heap();
    JournalTier tier = new JournalTier(EVERY, Duration.ofDays(3650));
    ids.forEach(id -> engine.journals().keep(OperationId.random(), id, List.of(tier)));
    List<Volume> volumes = ids.stream().map(engine::open).toList();
    SplittableRandom random = new SplittableRandom(1);
    List<Double> millis = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      writeAll(volumes, random);
      nanos.addAndGet(EVERY.toNanos());
      long start = System.nanoTime();
      engine.journals().cut(ids);
      millis.add((System.nanoTime() - start) / 1e6);
    }
    engine.checkpoint();
    long points = ids.stream().mapToLong(id -> info(engine, id).points()).sum();
    double each = (double) Math.max(0, heap() - before) / points;
    stage
        .report()
        .row(
            Row.of("memory of a point", "%,d points, %.0f bytes each".formatted(points, each))
                .judged(each, Aim.atMost(MOST_BYTES)));
    stage
        .report()
        .row(
            Row.of(
                "a cut of %d volumes".formatted(ids.size()), Spread.text(millis) + " ms, durable"));
  }

  private static void writeAll(List<Volume> volumes, SplittableRandom random) {
    List<AwaitedIo> ends = new ArrayList<>();
    for (Volume volume : volumes) {
      byte[] bytes = new byte[BLOCK];
      random.nextBytes(bytes);
      AwaitedIo end = new AwaitedIo();
      volume.write((long) random.nextInt(VOLUME_BLOCKS) * BLOCK, ByteBuffer.wrap(bytes), end);
      ends.add(end);
    }
    for (AwaitedIo end : ends) {
      StorageException failed = end.await();
      if (failed != null) {
        throw failed;
      }
    }
  }

  private static JournalInfo info(RedirectOnWriteEngine engine, VolumeId id) {
    return engine.journals().find(id).orElseThrow();
  }

  private static long heap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static void ways(Stage stage, RedirectOnWriteEngine engine, VolumeId id) {
    JournalInfo info = info(engine, id);
    long reach = Duration.between(info.oldest(), info.newest()).toMillis();
    SplittableRandom random = new SplittableRandom(2);
    List<Double> pages = new ArrayList<>();
    List<Double> clones = new ArrayList<>();
    for (int i = 0; i < TIMES; i++) {
      Instant moment = info.oldest().plusMillis(random.nextLong(reach));
      long start = System.nanoTime();
      engine.journals().points(id, moment, PAGE);
      pages.add((System.nanoTime() - start) / 1e3);
      Instant point = engine.journals().pointAt(id, moment).orElseThrow();
      start = System.nanoTime();
      VolumeId copy = VolumeId.random();
      engine
          .journals()
          .clone(OperationId.random(), new CloneSpec(id, copy, false, Map.of()), point);
      clones.add((System.nanoTime() - start) / 1e6);
      engine.delete(OperationId.random(), copy);
    }
    String of = " of a volume with %,d points".formatted(info.points());
    stage.report().row(Row.of("a page of 100 moments" + of, Spread.text(pages) + " µs"));
    stage.report().row(Row.of("a clone of a random moment" + of, Spread.text(clones) + " ms"));
    long start = System.nanoTime();
    engine.journals().revert(OperationId.random(), id, info.oldest());
    stage
        .report()
        .row(
            Row.of(
                "a revert to the first moment" + of,
                "%.0f ms".formatted((System.nanoTime() - start) / 1e6)));
  }
}

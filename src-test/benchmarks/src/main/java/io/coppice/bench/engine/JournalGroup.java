package io.coppice.bench.engine;

import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.bench.subject.PacedWrites;
import io.coppice.engine.AwaitedIo;
import io.coppice.engine.CloneSpec;
import io.coppice.engine.Journals;
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
import io.coppice.kit.Latencies;
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
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// The cost of journals: of a write beside the same without one, and of a million points, whose
/// seconds pass as fast as the engine is.
final class JournalGroup implements Group {

  private static final int BLOCK = 4096;
  private static final int DEPTH = 32;
  private static final int VOLUME_BLOCKS = 4096;
  private static final int TIMES = 21;
  private static final int PAGE = 100;
  private static final int SECONDS = 15;
  private static final int TICK = 250;
  private static final int PER_SECOND = 1000;
  private static final int COMPARED = 20;
  private static final List<JournalTier> SHORT_TIERS =
      List.of(
          new JournalTier(Duration.ofSeconds(5), Duration.ofMinutes(1)),
          new JournalTier(Duration.ofSeconds(15), Duration.ofMinutes(3)),
          new JournalTier(Duration.ofMinutes(1), Duration.ofMinutes(10)));
  private static final long HOT_BYTES = 64 << 20;
  private static final int MOST_BYTES = 200;
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final List<JournalTier> TIERS =
      List.of(
          new JournalTier(Duration.ofSeconds(5), Duration.ofHours(1)),
          new JournalTier(Duration.ofMinutes(1), Duration.ofDays(1)),
          new JournalTier(Duration.ofMinutes(15), Duration.ofDays(7)));

  @Override
  public String name() {
    return "journals";
  }

  @Override
  public void run(Stage stage) throws IOException {
    int volumes = stage.sizes().rounds() < 5 ? 20 : 200;
    int rounds = stage.sizes().million() / volumes;
    stage
        .report()
        .group(
            "Journals",
            "I/O: %d pairs of %d times %s in alternating order at depth %d, hot sets of 64 MiB, with three tiers (5 s, 1 min, 15 min) and a cut of all each 5 s, and without journals. Paced: writes of 4 KiB at a fixed rate, some minutes without, twice as long with tiers of 5 s, 15 s and 1 min that are kept for 1, 3 and 10 minutes, and as long without; each time is from when a write was due. Points: %,d volumes of 16 MiB with one tier, one write of 4 KiB and a cut of all for each, the memory of the process before and after; then medians of %d."
                .formatted(
                    stage.sizes().pairs(), SECONDS, stage.sizes().time(), DEPTH, volumes, TIMES));
    crowd(stage, volumes);
    paced(stage, volumes);
    points(stage, volumes, rounds);
  }

  /// Pairs of times with and without journals of all volumes.
  private static void crowd(Stage stage, int volumes) {
    stage.withPool(
        2 * stage.sizes().poolBytes(),
        bed -> {
          List<VolumeId> ids = new ArrayList<>();
          for (int i = 0; i < volumes; i++) {
            VolumeId id = bed.volume(HOT_BYTES);
            bed.filled(id, HOT_BYTES);
            ids.add(id);
          }
          List<Volume> all = ids.stream().map(bed.engine()::open).toList();
          CrowdLoad load = new CrowdLoad(all, HOT_BYTES, DEPTH);
          load.run(stage.sizes().time());
          List<Double> ratios = new ArrayList<>();
          List<Double> rates = new ArrayList<>();
          for (int i = 0; i < stage.sizes().pairs(); i++) {
            boolean first = i % 2 == 0;
            double one = half(stage, bed, ids, load, first);
            double other = half(stage, bed, ids, load, !first);
            rates.add(first ? one : other);
            ratios.add(first ? one / other : other / one);
          }
          stage
              .report()
              .row(
                  Row.of(
                          "8 KiB random 70/30 on %d volumes with journals".formatted(volumes),
                          Spread.text(rates) + " per second")
                      .against("the same without; ratios " + Spread.text(ratios))
                      .judged(Spread.median(ratios), Aim.atLeast(0.97)));
        });
  }

  private static double half(
      Stage stage, Bed bed, List<VolumeId> ids, CrowdLoad load, boolean with) {
    Journals journals = bed.engine().journals();
    if (!with) {
      return load.run(stage.sizes().time().multipliedBy(SECONDS));
    }
    ids.forEach(id -> journals.keep(OperationId.random(), id, TIERS));
    double rate;
    try (var cutter = Executors.newSingleThreadScheduledExecutor()) { // as often as the provider
      cutter.scheduleWithFixedDelay(journals::cutDue, TICK, TICK, TimeUnit.MILLISECONDS);
      rate = load.run(stage.sizes().time().multipliedBy(SECONDS));
    }
    ids.forEach(id -> journals.end(OperationId.random(), id));
    bed.engine().awaitReclaim();
    return rate;
  }

  /// Writes at a fixed rate: some minutes without journals, twice as long with journals of short
  /// tiers, and as long without. Then copies of random moments against the log of the writes.
  private static void paced(Stage stage, int volumes) {
    Duration half = stage.sizes().time().multipliedBy(15L * stage.sizes().pairs());
    stage.withPool(
        2 * stage.sizes().poolBytes(),
        bed -> {
          List<VolumeId> ids = new ArrayList<>();
          for (int i = 0; i < volumes; i++) {
            ids.add(bed.volume(HOT_BYTES));
            bed.filled(ids.getLast(), HOT_BYTES);
          }
          List<Volume> all = ids.stream().map(bed.engine()::open).toList();
          PacedWrites writes = new PacedWrites(all, HOT_BYTES, PER_SECOND);
          Latencies without = Latencies.shared();
          Latencies with = Latencies.shared();
          writes.run(half, without);
          Journals journals = bed.engine().journals();
          ids.forEach(id -> journals.keep(OperationId.random(), id, SHORT_TIERS));
          try (var cutter = Executors.newSingleThreadScheduledExecutor()) {
            cutter.scheduleWithFixedDelay(journals::cutDue, TICK, TICK, TimeUnit.MILLISECONDS);
            for (int quarter = 1; quarter <= 4; quarter++) {
              writes.run(half.dividedBy(2), with);
              stage.report().row(kept(bed, ids, quarter + " quarters"));
            }
          }
          stage.report().row(compared(bed, ids, writes));
          ids.forEach(id -> journals.end(OperationId.random(), id));
          bed.engine().awaitReclaim();
          writes.run(half, without);
          double ratio = with.micros(99) / without.micros(99);
          stage
              .report()
              .row(
                  Row.of(
                          "%,d writes of 4 KiB a second with journals".formatted(PER_SECOND),
                          percentiles(with))
                      .against("without: " + percentiles(without))
                      .judged(ratio, Aim.atMost(1.1)));
        });
  }

  private static Row kept(Bed bed, List<VolumeId> ids, String when) {
    long points = 0;
    long memory = 0;
    long bytes = 0;
    for (VolumeId id : ids) {
      JournalInfo info = info(bed.engine(), id);
      points += info.points();
      memory += info.memoryBytes();
      bytes += info.keptBytes();
    }
    return Row.of(
        "journals after " + when,
        "%,d points, %,d KiB of memory, %,d MiB kept, pool %,d MiB"
            .formatted(points, memory >> 10, bytes >> 20, bed.engine().space().used() >> 20));
  }

  private static Row compared(Bed bed, List<VolumeId> ids, PacedWrites writes) {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < COMPARED; i++) {
      int index = random.nextInt(ids.size());
      VolumeId id = ids.get(index);
      JournalInfo info = info(bed.engine(), id);
      long reach = Duration.between(info.oldest(), info.newest()).toMillis();
      Instant point =
          bed.engine()
              .journals()
              .pointAt(id, info.oldest().plusMillis(random.nextLong(reach)))
              .orElseThrow();
      VolumeId copy = VolumeId.random();
      bed.engine()
          .journals()
          .clone(OperationId.random(), new CloneSpec(id, copy, false, Map.of()), point);
      writes.compare(index, bed.engine().open(copy), point);
      bed.delete(copy);
    }
    return Row.of("copies of random moments", "%d, all as acknowledged".formatted(COMPARED));
  }

  private static String percentiles(Latencies latencies) {
    return "p50 %.0f, p99 %.0f, p99.9 %.0f µs"
        .formatted(latencies.micros(50), latencies.micros(99), latencies.micros(99.9));
  }

  // ---- points

  private static void points(Stage stage, int volumes, int rounds) throws IOException {
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

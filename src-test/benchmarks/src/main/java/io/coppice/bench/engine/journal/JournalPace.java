package io.coppice.bench.engine.journal;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.bench.subject.PacedWrites;
import io.coppice.engine.CloneSpec;
import io.coppice.engine.Journals;
import io.coppice.engine.OperationId;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.engine.journal.JournalTier;
import io.coppice.kit.Latencies;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// Journals at a fixed rate of writes: latencies with and without them, what they keep as points
/// thin out, and copies of random moments against the log of the writes.
public final class JournalPace implements Group {

  private static final int TICK = 250;
  private static final int PER_SECOND = 1000;
  private static final int COMPARED = 20;
  private static final long HOT_BYTES = 64 << 20;
  private static final List<JournalTier> SHORT_TIERS =
      List.of(
          new JournalTier(Duration.ofSeconds(5), Duration.ofMinutes(1)),
          new JournalTier(Duration.ofSeconds(15), Duration.ofMinutes(3)),
          new JournalTier(Duration.ofMinutes(1), Duration.ofMinutes(10)));

  @Override
  public String name() {
    return "journals: pace";
  }

  @Override
  public void run(Stage stage) {
    stage
        .report()
        .group(
            "Journals at a fixed rate",
            "Writes of 4 KiB at a fixed rate, some minutes without, twice as long with tiers of 5 s, 15 s and 1 min that are kept for 1, 3 and 10 minutes, and as long without; each time is from when a write was due.");
    measure(stage, stage.sizes().volumesOfJournals());
  }

  /// Writes at a fixed rate: some minutes without journals, twice as long with journals of short
  /// tiers, and as long without. Then copies of random moments against the log of the writes.
  private static void measure(Stage stage, int volumes) {
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

  private static JournalInfo info(RedirectOnWriteEngine engine, VolumeId id) {
    return engine.journals().find(id).orElseThrow();
  }
}

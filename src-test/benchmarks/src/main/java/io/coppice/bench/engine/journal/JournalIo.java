package io.coppice.bench.engine.journal;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.engine.Journals;
import io.coppice.engine.OperationId;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.journal.JournalTier;
import io.coppice.kit.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// The cost of journals beside I/O: pairs of times with journals of all volumes and without.
public final class JournalIo implements Group {

  private static final int DEPTH = 32;
  private static final int SECONDS = 15;
  private static final int TICK = 250;
  private static final long HOT_BYTES = 64 << 20;

  /// A third of what the maps of 200 hot sets take.
  private static final long SMALL_MAPS = 16 << 20;

  private static final int FEWER = 4;
  private static final List<JournalTier> TIERS =
      List.of(
          new JournalTier(Duration.ofSeconds(5), Duration.ofHours(1)),
          new JournalTier(Duration.ofMinutes(1), Duration.ofDays(1)),
          new JournalTier(Duration.ofMinutes(15), Duration.ofDays(7)));

  @Override
  public String name() {
    return "journals: I/O";
  }

  @Override
  public void run(Stage stage) {
    stage
        .report()
        .group(
            "Journals beside I/O",
            "%d pairs of %d times %s in alternating order at depth %d, hot sets of 64 MiB, with three tiers (5 s, 1 min, 15 min) and a cut of all each 5 s, and without journals."
                .formatted(stage.sizes().pairs(), SECONDS, stage.sizes().time(), DEPTH));
    measure(stage, EngineOptions.defaults(), stage.sizes().pairs(), "");
    measure(
        stage,
        EngineOptions.defaults().withMapMemoryBytes(SMALL_MAPS),
        Math.ceilDiv(stage.sizes().pairs(), FEWER),
        ", a third of the maps in memory");
  }

  /// Pairs of times with and without journals of all volumes.
  private static void measure(Stage stage, EngineOptions options, int pairs, String how) {
    int volumes = stage.sizes().volumesOfJournals();
    stage.withPool(
        2 * stage.sizes().poolBytes(),
        options,
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
          for (int i = 0; i < pairs; i++) {
            boolean first = i % 2 == 0;
            double one = half(stage, bed, ids, load, first);
            double other = half(stage, bed, ids, load, !first);
            rates.add(first ? one : other);
            ratios.add(first ? one / other : other / one);
            stage.report().progress("pair %d: %.3f".formatted(i + 1, ratios.getLast()));
          }
          stage
              .report()
              .row(
                  Row.of(
                          "8 KiB random 70/30 on %d volumes with journals%s"
                              .formatted(volumes, how),
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
}

package io.coppice.bench.engine;

import io.coppice.bench.engine.Rounds.Against;
import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Sizes;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.bench.subject.EngineSubject;
import io.coppice.bench.subject.FioSubject;
import io.coppice.bench.subject.Load;
import io.coppice.bench.subject.ProcessCost;
import io.coppice.bench.subject.Reading;
import io.coppice.engine.clean.CleaningReport;
import io.coppice.engine.status.PoolSpace;
import io.coppice.harness.Mismatch;
import io.coppice.kit.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A pool that is 70, 80 and 90 % full and written to at random until it is steady: what the
/// cleaner makes of each written byte, and 8 KiB 70/30 beside the raw file meanwhile.
final class FullGroup implements Group {

  private static final List<Fullness> FULL =
      List.of(new Fullness(70, 2.1), new Fullness(80, 3.0), new Fullness(90, 5.8));
  private static final int PARTS = 5;
  private static final int WARM_UP = 2;
  private static final int ONE_BY_ONE_TIMES = 4;
  private static final int SAMPLES = 5_000;
  private static final double WORST_P99 = 3;

  /// @param percent of the capacity that is mapped
  /// @param most the amplification that is aimed at
  private record Fullness(int percent, double most) {}

  @Override
  public String name() {
    return "full";
  }

  @Override
  public void run(Stage stage) {
    stage
        .report()
        .group(
            "A full pool and its cleaner",
            "Pools of %.1f GiB of which one volume maps 70, 80 and 90 %% of the capacity. 4 KiB writes at uniformly random places: %d times the volume before anything is measured, once more in %d parts at depth 32, then at depth 1. Amplification: bytes that the kernel counts for the process per byte written."
                .formatted(gib(stage.sizes().fullPoolBytes()), WARM_UP, PARTS));
    int mark = stage.leftovers().mark();
    try {
      FioSubject raw = stage.rawFile(stage.sizes().diskBytes());
      for (Fullness full : FULL) {
        stage.withPool(stage.sizes().fullPoolBytes(), bed -> measure(stage, bed, full, raw));
      }
    } finally {
      stage.leftovers().undoTo(mark);
    }
  }

  private static void measure(Stage stage, Bed bed, Fullness full, FioSubject raw) {
    int percent = full.percent();
    PoolSpace space = bed.engine().space();
    long bytes = (space.capacity() / 100 * percent - space.used()) >> 20 << 20;
    stage.report().progress("filling a pool to %d %%, and writing over it ...".formatted(percent));
    EngineSubject engine = bed.filled(bed.volume(bytes), bytes);
    Load deep = Load.randomWrite(32);
    long blocks = bytes / deep.blockBytes();
    engine.run(deep, WARM_UP * blocks);
    List<Double> amplified = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    for (int i = 0; i < PARTS; i++) {
      long before = written();
      Reading part = engine.run(deep, blocks / PARTS);
      amplified.add((double) (written() - before) / part.bytesWritten());
      rates.add(part.perSecond());
    }
    stage
        .report()
        .row(
            Row.of(
                    "write amplification, %d %% full, depth 32".formatted(percent),
                    Spread.text(amplified)
                        + " at %s/s, %.1f GiB written"
                            .formatted(Spread.text(rates), gib((1 + WARM_UP) * bytes)))
                .judged(Spread.median(amplified), Aim.atMost(full.most())));
    if (percent == 80) {
      steady(stage, bed, engine, raw);
    }
    oneByOne(stage, engine, percent);
    engine.verify(SAMPLES);
    PoolSpace end = bed.engine().space();
    stage
        .report()
        .row(
            Row.of(
                "what lives at the end, %d %% full".formatted(percent),
                "%.1f %% of the capacity, %.1f %% of the file; %d blocks read back as written"
                    .formatted(
                        100.0 * end.used() / end.capacity(),
                        100.0 * end.used() / stage.sizes().fullPoolBytes(),
                        SAMPLES)));
  }

  private static void oneByOne(Stage stage, EngineSubject engine, int percent) {
    List<Double> amplified = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    Duration time = stage.sizes().time().multipliedBy(ONE_BY_ONE_TIMES);
    for (int i = 0; i < PARTS; i++) {
      long before = written();
      Reading part = engine.run(Load.randomWrite(1), time);
      amplified.add((double) (written() - before) / part.bytesWritten());
      rates.add(part.perSecond());
    }
    stage
        .report()
        .row(
            Row.of(
                    "write amplification, %d %% full, depth 1".formatted(percent),
                    Spread.text(amplified) + " at %s/s".formatted(Spread.text(rates)))
                .figure(Spread.median(amplified)));
  }

  private static void steady(Stage stage, Bed bed, EngineSubject engine, FioSubject raw) {
    CleaningReport before = bed.engine().cleaned();
    Load load = Load.mixed(16);
    new Rounds(stage)
        .compare(
            "8 KiB random 70/30, depth 16, 80 % full, cleaner running",
            load, engine, List.of(new Against(raw, Aim.atLeast(0.6))));
    long moved = bed.engine().cleaned().blocksMoved() - before.blocksMoved();
    if (moved == 0) {
      throw new Mismatch("expected the cleaner to run meanwhile, it moved no block");
    }
    List<Double> ours = new ArrayList<>();
    List<Double> theirs = new ArrayList<>();
    for (int i = 0; i < stage.sizes().rounds(); i++) {
      ours.add(engine.run(load, stage.sizes().time()).p99Micros());
      theirs.add(raw.run(load, stage.sizes().time()).p99Micros());
    }
    double ratio = Spread.median(ours) / Spread.median(theirs);
    stage
        .report()
        .row(
            Row.of("the same, 99 % of them within", Spread.text(ours) + " µs")
                .against("raw file: " + Spread.text(theirs) + " µs")
                .judged(ratio, Aim.atMost(WORST_P99)));
    stage.report().row(Row.of("blocks moved by the cleaner meanwhile", Long.toString(moved)));
  }

  private static double gib(long bytes) {
    return bytes / (double) Sizes.GIB;
  }

  private static long written() {
    return ProcessCost.now().bytesWritten();
  }
}

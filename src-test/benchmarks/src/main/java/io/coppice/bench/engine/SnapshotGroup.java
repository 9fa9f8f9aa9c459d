package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.bench.subject.EngineSubject;
import io.coppice.bench.subject.Load;
import io.coppice.engine.VolumeId;
import io.coppice.kit.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The cost of copies, and their effect on the I/O of running volumes.
final class SnapshotGroup implements Group {

  private static final int SLICES = 10;
  private static final int SNAPSHOTS = 256;
  private static final int WRITES_BETWEEN = 64;
  private static final int DEPTH = 16;
  private static final int SAMPLES = 2_000;

  @Override
  public String name() {
    return "snapshots";
  }

  @Override
  public void run(Stage stage) {
    stage
        .report()
        .group(
            "Snapshots, clones, reverts and deletes",
            "Operations: medians of 51. I/O with and without: %d pairs of %d times 100 ms in alternating order, depth %d; each pair gives a ratio of the medians and of the worst 100 ms. Before each half nothing is left to be reclaimed."
                .formatted(stage.sizes().pairs(), SLICES, DEPTH));
    stage.withPool(stage.sizes().poolBytes(), bed -> measure(stage, bed));
  }

  private static void measure(Stage stage, Bed bed) {
    OperationCosts costs = new OperationCosts(stage, bed);
    costs.measure();
    costs.spaceBack();
    long bytes = stage.sizes().diskBytes();
    VolumeId id = bed.volume(bytes);
    EngineSubject subject = bed.filled(id, bytes);
    justTaken(stage, bed, id, subject);
    manySnapshots(stage, bed, subject);
    duringDeletion(stage, bed, id, subject);
    subject.verify(SAMPLES);
    stage.report().note("%d blocks of the volume read back as written last.".formatted(SAMPLES));
  }

  private record Half(double median, double worst) {

    static Half of(EngineSubject subject, Load load) {
      List<Double> rates = new ArrayList<>();
      for (int i = 0; i < SLICES; i++) {
        rates.add(subject.run(load, Duration.ofMillis(100)).perSecond());
      }
      return new Half(Spread.median(rates), Spread.least(rates));
    }
  }

  /// Ratios of the halves with something to those without.
  private record Pairs(List<Double> medians, List<Double> worsts, List<Double> rates) {

    Pairs() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    void add(Half with, Half without) {
      medians.add(with.median / without.median);
      worsts.add(with.worst / without.worst);
      rates.add(with.median);
    }

    void report(Stage stage, String work, double medianAim, double worstAim) {
      String rate = Spread.text(rates) + " per second";
      stage
          .report()
          .row(
              Row.of(work + ", median", rate)
                  .against("the same without; ratios " + Spread.text(medians))
                  .judged(Spread.median(medians), Aim.atLeast(medianAim)));
      Row worst =
          Row.of(work + ", worst 100 ms", "").against("its worst; ratios " + Spread.text(worsts));
      double ratio = Spread.median(worsts);
      stage
          .report()
          .row(worstAim > 0 ? worst.judged(ratio, Aim.atLeast(worstAim)) : worst.figure(ratio));
    }
  }

  /// @param with whether to go first with or without is told by turns
  private static Pairs pairs(Stage stage, Consumer<Pairs> withFirst, Consumer<Pairs> withLast) {
    Pairs pairs = new Pairs();
    for (int i = 0; i < stage.sizes().pairs(); i++) {
      (i % 2 == 0 ? withFirst : withLast).accept(pairs);
    }
    return pairs;
  }

  private static void justTaken(Stage stage, Bed bed, VolumeId id, EngineSubject subject) {
    Load load = Load.randomWrite(DEPTH);
    Consumer<Pairs> withFirst =
        pairs -> {
          Half with = afterSnapshot(bed, id, subject, load);
          pairs.add(with, Half.of(subject, load));
        };
    Consumer<Pairs> withLast =
        pairs -> {
          Half without = Half.of(subject, load);
          pairs.add(afterSnapshot(bed, id, subject, load), without);
        };
    pairs(stage, withFirst, withLast)
        .report(stage, "4 KiB random write, a snapshot just taken", 0.97, 0.9);
  }

  private static Half afterSnapshot(Bed bed, VolumeId id, EngineSubject subject, Load load) {
    VolumeId snapshot = bed.snapshot(id);
    Half half = Half.of(subject, load);
    bed.deleteWholly(snapshot);
    return half;
  }

  private static void manySnapshots(Stage stage, Bed bed, EngineSubject without) {
    long bytes = stage.sizes().diskBytes();
    VolumeId id = bed.volume(bytes);
    EngineSubject with = bed.filled(id, bytes);
    List<VolumeId> snapshots = new ArrayList<>();
    for (int i = 0; i < SNAPSHOTS; i++) {
      snapshots.add(bed.snapshot(id));
      with.run(Load.randomWrite(DEPTH), WRITES_BETWEEN);
    }
    for (Load load :
        List.of(new Load("", 100, 4096, false, DEPTH), new Load("", 0, 4096, false, DEPTH))) {
      Consumer<Pairs> withFirst =
          pairs -> {
            Half first = Half.of(with, load);
            pairs.add(first, Half.of(without, load));
          };
      Consumer<Pairs> withLast =
          pairs -> {
            Half first = Half.of(without, load);
            pairs.add(Half.of(with, load), first);
          };
      String way = load.readPercent() == 100 ? "read" : "write";
      pairs(stage, withFirst, withLast)
          .report(
              stage,
              "4 KiB random %s with %d snapshots beside a volume without".formatted(way, SNAPSHOTS),
              0.95,
              0);
    }
    with.verify(SAMPLES);
    snapshots.forEach(bed::delete);
    bed.deleteWholly(id);
  }

  // The snapshot that is deleted holds every block of the volume alone.
  private static void duringDeletion(Stage stage, Bed bed, VolumeId id, EngineSubject subject) {
    Load load = Load.randomWrite(DEPTH);
    List<Double> took = new ArrayList<>();
    Pairs pairs = new Pairs();
    for (int i = 0; i < Math.max(5, stage.sizes().pairs() / 2); i++) {
      VolumeId snapshot = bed.snapshot(id);
      subject.fill();
      Half without = i % 2 == 0 ? Half.of(subject, load) : null;
      Thread end = deletion(bed, snapshot, took);
      Half with = Half.of(subject, load);
      join(end);
      pairs.add(with, without == null ? Half.of(subject, load) : without);
    }
    pairs.report(
        stage,
        "4 KiB random write, from the deletion of a snapshot with %d MiB of its own on"
            .formatted(stage.sizes().diskBytes() >> 20),
        0.95,
        0);
    stage.report().row(Row.of("seconds until that deletion is done", Spread.text(took)));
  }

  private static Thread deletion(Bed bed, VolumeId snapshot, List<Double> took) {
    return Thread.ofPlatform().start(() -> took.add(Bed.seconds(() -> bed.deleteWholly(snapshot))));
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

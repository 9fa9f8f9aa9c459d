package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.bench.subject.EngineSubject;
import io.coppice.bench.subject.Load;
import io.coppice.bench.subject.Reading;
import io.coppice.engine.VolumeId;
import io.coppice.kit.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Four unlike workloads at once, each on a volume of its own and from a thread of its own, with
/// and without snapshots of all.
final class MixGroup implements Group {

  private static final List<Load> LOADS =
      List.of(
          Load.mixed(8),
          new Load("64 KiB log, depth 1", 0, 64 << 10, true, 1),
          new Load("1 MiB scan, depth 2", 100, 1 << 20, true, 2),
          new Load("4 KiB random write, depth 1", 0, 4096, false, 1));
  private static final int VOLUME_SHARE = 2;
  private static final double MOST = 1.2;
  private static final int SAMPLES = 1_000;

  @Override
  public String name() {
    return "mix";
  }

  @Override
  public void run(Stage stage) {
    Duration time = stage.sizes().time().multipliedBy(2);
    int pairs = Math.max(5, stage.sizes().pairs() / 2);
    stage
        .report()
        .group(
            "Four workloads at once",
            "Each on a volume of %d MiB, all four at once for %d ms, %d pairs in alternating order: with a snapshot of all four just taken, and with none and nothing to be reclaimed. 99 %% of the I/Os ended within so many microseconds."
                .formatted(
                    (stage.sizes().diskBytes() / VOLUME_SHARE) >> 20, time.toMillis(), pairs));
    stage.withPool(stage.sizes().poolBytes(), bed -> measure(stage, bed, time, pairs));
  }

  private static void measure(Stage stage, Bed bed, Duration time, int pairs) {
    long bytes = stage.sizes().diskBytes() / VOLUME_SHARE;
    List<VolumeId> ids = LOADS.stream().map(_ -> bed.volume(bytes)).toList();
    List<EngineSubject> subjects = ids.stream().map(id -> bed.filled(id, bytes)).toList();
    List<List<Reading>> with = new ArrayList<>();
    List<List<Reading>> without = new ArrayList<>();
    together(subjects, time.dividedBy(4));
    for (int i = 0; i < pairs; i++) {
      for (int half = 0; half < 2; half++) {
        boolean isWith = (i + half) % 2 == 0;
        List<VolumeId> snapshots = isWith ? bed.snapshot(ids) : List.of();
        (isWith ? with : without).add(together(subjects, time));
        snapshots.forEach(bed::delete);
        bed.engine().awaitReclaim();
      }
    }
    for (int i = 0; i < LOADS.size(); i++) {
      row(stage, i, with, without);
    }
    subjects.forEach(subject -> subject.verify(SAMPLES));
    stage.report().note("%d blocks of each volume read back as written last.".formatted(SAMPLES));
  }

  private static List<Reading> together(List<EngineSubject> subjects, Duration time) {
    List<CompletableFuture<Reading>> running = new ArrayList<>();
    for (int i = 0; i < LOADS.size(); i++) {
      EngineSubject subject = subjects.get(i);
      Load load = LOADS.get(i);
      CompletableFuture<Reading> end = new CompletableFuture<>();
      running.add(end);
      Thread.ofPlatform()
          .start(
              () -> {
                try {
                  end.complete(subject.run(load, time));
                } catch (RuntimeException e) {
                  end.completeExceptionally(e);
                }
              });
    }
    return running.stream().map(CompletableFuture::join).toList();
  }

  private static void row(
      Stage stage, int load, List<List<Reading>> with, List<List<Reading>> without) {
    List<Double> ours = with.stream().map(all -> all.get(load).p99Micros()).toList();
    List<Double> control = without.stream().map(all -> all.get(load).p99Micros()).toList();
    List<Double> rates = with.stream().map(all -> all.get(load).perSecond()).toList();
    List<Double> controlRates = without.stream().map(all -> all.get(load).perSecond()).toList();
    stage
        .report()
        .row(
            Row.of(
                    LOADS.get(load).name() + ", with snapshots",
                    "%s µs at 99 %%, %s/s".formatted(Spread.text(ours), Spread.text(rates)))
                .against(
                    "without: %s µs at 99 %%, %s/s"
                        .formatted(Spread.text(control), Spread.text(controlRates)))
                .judged(Spread.median(ours) / Spread.median(control), Aim.atMost(MOST)));
  }
}

package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.DiskCounter;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Report;
import io.coppice.bench.report.Row;
import io.coppice.bench.subject.Load;
import io.coppice.bench.subject.Reading;
import io.coppice.bench.subject.Subject;
import io.coppice.kit.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Runs a load against several subjects in turn, so that what disturbs one disturbs all, and
/// reports the medians.
final class Rounds {

  /// Times of a round that our own side works before the first: what the just-in-time compiler
  /// compiles while it is measured would be measured as well.
  private static final int WARM_UP = 3;

  private final int rounds;
  private final Duration time;
  private final DiskCounter disk;
  private final Report report;

  Rounds(Stage stage) {
    this.rounds = stage.sizes().rounds();
    this.time = stage.sizes().time();
    this.disk = stage.disk();
    this.report = stage.report();
  }

  /// A baseline, and what the ratio to it is to be.
  record Against(Subject subject, @Nullable Aim aim) {}

  private record Runs(Subject subject, List<Reading> readings, List<Double> deviceBytes) {

    Runs(Subject subject) {
      this(subject, new ArrayList<>(), new ArrayList<>());
    }

    List<Double> all(ToDoubleFunction<Reading> figure) {
      return readings.stream().map(figure::applyAsDouble).toList();
    }

    double median(ToDoubleFunction<Reading> figure) {
      return Spread.median(all(figure));
    }

    String device() {
      return deviceBytes.isEmpty() ? "-" : "%.2f".formatted(Spread.median(deviceBytes));
    }
  }

  /// A row for each baseline that knows the load.
  ///
  /// @param work what the rows are called
  void compare(String work, Load load, Subject ours, List<Against> baselines) {
    List<Against> able = baselines.stream().filter(b -> b.subject().knows(load)).toList();
    List<Runs> all = new ArrayList<>();
    all.add(new Runs(ours));
    able.forEach(baseline -> all.add(new Runs(baseline.subject())));
    all.forEach(runs -> runs.subject().prepare());
    ours.run(load, time.multipliedBy(WARM_UP));
    able.forEach(baseline -> baseline.subject().run(load, time.dividedBy(4)));
    for (int i = 0; i < rounds; i++) {
      all.forEach(runs -> once(load, runs));
    }
    for (int i = 0; i < able.size(); i++) {
      row(work, all.getFirst(), all.get(i + 1), able.get(i).aim());
    }
  }

  private void once(Load load, Runs runs) {
    runs.subject().prepare();
    OptionalLong before = disk.bytesWritten();
    Reading reading = runs.subject().run(load, time);
    OptionalLong after = disk.bytesWritten();
    runs.readings().add(reading);
    if (before.isPresent() && after.isPresent() && reading.bytesWritten() > 0) {
      long written = after.getAsLong() - before.getAsLong();
      runs.deviceBytes().add((double) written / reading.bytesWritten());
    }
  }

  private void row(String work, Runs ours, Runs theirs, @Nullable Aim aim) {
    double ratio = ours.median(Reading::perSecond) / theirs.median(Reading::perSecond);
    boolean writes = ours.readings().getFirst().bytesWritten() > 0;
    Row row =
        Row.of(work, Spread.text(ours.all(Reading::perSecond)))
            .against(theirs.subject().name() + ": " + Spread.text(theirs.all(Reading::perSecond)))
            .figure(ratio)
            .device(writes ? ours.device() + " / " + theirs.device() : "")
            .cpu(
                "%.1f / %.1f µs"
                    .formatted(ours.median(Reading::cpuMicros), theirs.median(Reading::cpuMicros)));
    report.row(aim == null ? row : row.judged(ratio, aim));
  }
}

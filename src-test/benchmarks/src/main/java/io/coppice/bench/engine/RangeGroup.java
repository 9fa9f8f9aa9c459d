package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Bed.Step;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Report;
import io.coppice.bench.report.Row;
import io.coppice.bench.subject.EngineSubject;
import io.coppice.bench.subject.FioSubject;
import io.coppice.bench.subject.Load;
import io.coppice.bench.subject.ProcessCost;
import io.coppice.bench.subject.Reading;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.kit.Spread;
import java.util.ArrayList;
import java.util.List;

/// Copy by pointer, WRITE SAME of zeros and UNMAP, beside writing zeros.
final class RangeGroup implements Group {

  private static final int DEPTH = 8;
  private static final int COPY_STEP = 4 << 20;
  private static final int SAMPLES = 2_000;

  @Override
  public String name() {
    return "ranges";
  }

  @Override
  public void run(Stage stage) {
    stage
        .report()
        .group(
            "Ranges",
            "GB (10⁹) of address space per second, %d times each, %d calls under way: copies of %d MiB in calls of 4 MiB onto a new volume; %d GiB in calls of 16 MiB, all of it mapped before by copying blocks there by pointer. Device bytes as the kernel counts them for the process, until all is in a checkpoint. Zeros are written 1 MiB a call, to the volume over %d MiB of the same, to the raw file by fio."
                .formatted(
                    stage.sizes().rounds(),
                    DEPTH,
                    stage.sizes().copyBytes() >> 20,
                    stage.sizes().rangeBytes() >> 30,
                    stage.sizes().copyBytes() >> 20));
    stage.withPool(stage.sizes().poolBytes(), bed -> measure(stage, bed));
  }

  private static void measure(Stage stage, Bed bed) {
    long bytes = stage.sizes().copyBytes();
    VolumeId scattered = bed.volume(bytes);
    EngineSubject random = new EngineSubject(bed.engine().open(scattered), bytes);
    random.scatter();
    copies(stage, bed, random, "a source written at scattered places", 5, 1);
    bed.deleteWholly(scattered);
    EngineSubject sequential = bed.filled(bed.volume(bytes), bytes);
    copies(stage, bed, sequential, "a source written in sequence", 20, 0.5);
    new ZeroRanges(stage, bed, sequential.volume(), rawZeros(stage)).measure();
  }

  /// GB per second of zeros written to the raw file.
  private static List<Double> rawZeros(Stage stage) {
    int mark = stage.leftovers().mark();
    FioSubject raw = stage.rawFile(stage.sizes().diskBytes());
    List<Double> rates = new ArrayList<>();
    for (int i = 0; i < stage.sizes().rounds(); i++) {
      Reading zeros = raw.runWithZeros(Load.sequential(0), stage.sizes().time());
      rates.add(zeros.perSecond() * Load.sequential(0).blockBytes() / 1e9);
    }
    stage.leftovers().undoTo(mark);
    return rates;
  }

  private static void copies(
      Stage stage, Bed bed, EngineSubject source, String what, double aim, double spaceAim) {
    long bytes = stage.sizes().copyBytes();
    List<Double> rates = new ArrayList<>();
    List<Double> space = new ArrayList<>();
    List<Double> device = new ArrayList<>();
    for (int i = 0; i < stage.sizes().rounds(); i++) {
      bed.engine().checkpoint();
      long used = bed.engine().space().used();
      long written = ProcessCost.now().bytesWritten();
      VolumeId id = bed.volume(bytes);
      Volume into = bed.engine().open(id);
      Step step = (at, done) -> into.copyFrom(source.volume(), at, at, COPY_STEP, done);
      rates.add(bytes / 1e9 / Bed.seconds(() -> Bed.inSteps(bytes, COPY_STEP, DEPTH, step)));
      bed.engine().checkpoint();
      space.add(100.0 * (bed.engine().space().used() - used) / bytes);
      device.add((double) (ProcessCost.now().bytesWritten() - written) / bytes);
      source.stamps().verify("the copy", into, SAMPLES);
      bed.deleteWholly(id);
    }
    Report report = stage.report();
    report.row(
        Row.of("copy of " + what + ", GB/s", Spread.text(rates))
            .judged(Spread.median(rates), Aim.atLeast(aim))
            .device("%.4f".formatted(Spread.median(device))));
    report.row(
        Row.of("its space, % of what was copied", Spread.text(space))
            .judged(Spread.median(space), Aim.atMost(spaceAim)));
  }
}

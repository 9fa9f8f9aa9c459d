package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Bed.Step;
import io.coppice.bench.engine.stage.Sizes;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Report;
import io.coppice.bench.report.Row;
import io.coppice.bench.subject.ProcessCost;
import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.range.ByteRange;
import io.coppice.harness.Mismatch;
import io.coppice.kit.Spread;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// WRITE SAME of zeros and UNMAP over a range that is mapped, beside zeros that are written. The
/// range is mapped each time by copies of a volume by pointer.
final class ZeroRanges {

  private static final int DEPTH = 8;
  private static final int MAP_STEP = 4 << 20;
  private static final int SMALL_STEP = 1 << 20;
  private static final int STEP = 16 << 20;
  private static final int PIECE = 64 << 10;
  private static final double TIMES_FASTER = 6;
  private static final double MOST_MIB = 10;

  private final Stage stage;
  private final Bed bed;
  private final Volume source;
  private final List<Double> rawZeros;

  /// @param source what the range is mapped with
  /// @param rawZeros GB per second of zeros written to the raw file
  ZeroRanges(Stage stage, Bed bed, Volume source, List<Double> rawZeros) {
    this.stage = stage;
    this.bed = bed;
    this.source = source;
    this.rawZeros = rawZeros;
  }

  /// @param call what is called for each step of a volume
  private record Ranged(String name, int stepBytes, Function<Volume, Step> call) {}

  /// @param rates GB per second
  /// @param mib MiB that the process wrote
  private record Measured(List<Double> rates, List<Double> mib) {}

  void measure() {
    long bytes = stage.sizes().copyBytes();
    ByteBuffer zeros = ByteBuffer.allocateDirect(SMALL_STEP);
    Measured written =
        over(
            bytes,
            new Ranged(
                "zeros written",
                SMALL_STEP,
                into -> (at, done) -> into.write(at, zeros.duplicate(), done)));
    report("zeros written over " + Sizes.text(bytes), written, null);
    report(
        new Ranged(
            "WRITE SAME of zeros",
            STEP,
            into -> (at, done) -> into.writeSame(at, STEP, ByteBuffer.allocateDirect(512), done)),
        written);
    report(new Ranged("UNMAP", STEP, into -> (at, done) -> into.unmap(at, STEP, done)), written);
    Measured small =
        over(
            stage.sizes().rangeBytes(),
            new Ranged(
                "UNMAP, 1 MiB a call",
                SMALL_STEP,
                into -> (at, done) -> into.unmap(at, SMALL_STEP, done)));
    report("UNMAP, 1 MiB a call, over " + Sizes.text(stage.sizes().rangeBytes()), small, null);
    Measured scattered =
        over(
            stage.sizes().rangeBytes(),
            new Ranged(
                "UNMAP, 128 ranges a call",
                STEP,
                into ->
                    (at, done) ->
                        into.unmap(
                            everyOther(at),
                            new Following(() -> into.unmap(everyOther(at + PIECE), done), done))));
    report(
        "UNMAP, 128 ranges of 64 KiB a call that do not adjoin, over "
            + Sizes.text(stage.sizes().rangeBytes()),
        scattered,
        null);
  }

  /// Half of a step, in ranges that do not adjoin.
  private static List<ByteRange> everyOther(long from) {
    List<ByteRange> ranges = new ArrayList<>();
    for (long at = from; at < from + STEP; at += 2 * PIECE) {
      ranges.add(new ByteRange(at, PIECE));
    }
    return ranges;
  }

  /// Goes on with another call if the first one succeeds.
  private record Following(Runnable next, Completion whom) implements Completion {

    @Override
    public void succeeded() {
      next.run();
    }

    @Override
    public void failed(StorageException failure) {
      whom.failed(failure);
    }
  }

  private void report(Ranged what, Measured zeros) {
    long bytes = stage.sizes().rangeBytes();
    report(what.name() + " over " + Sizes.text(bytes), over(bytes, what), zeros);
  }

  /// @param zeros what it is judged against; absent if it is not judged
  private void report(String name, Measured measured, @Nullable Measured zeros) {
    Report report = stage.report();
    double median = Spread.median(measured.rates);
    Row row =
        Row.of(name + ", GB/s", Spread.text(measured.rates))
            .against("zeros written to the raw file: " + Spread.text(rawZeros));
    Row mib =
        Row.of("its device writes, MiB", Spread.text(measured.mib))
            .figure(Spread.median(measured.mib));
    if (zeros == null) {
      report.row(row.figure(median / Spread.median(rawZeros)));
      report.row(mib);
      return;
    }
    report.row(row.judged(median / Spread.median(rawZeros), Aim.atLeast(TIMES_FASTER)));
    report.row(
        Row.of("the same beside zeros written to the engine", "")
            .against("zeros: " + Spread.text(zeros.rates))
            .figure(median / Spread.median(zeros.rates)));
    report.row(mib.judged(Spread.median(measured.mib), Aim.atMost(MOST_MIB)));
  }

  private Measured over(long bytes, Ranged what) {
    Measured measured = new Measured(new ArrayList<>(), new ArrayList<>());
    VolumeId id = bed.volume(bytes);
    Volume volume = bed.engine().open(id);
    long sourceBytes = source.sizeInBytes();
    for (int i = 0; i < stage.sizes().rounds(); i++) {
      Bed.inSteps(
          bytes,
          MAP_STEP,
          DEPTH,
          (at, done) -> volume.copyFrom(source, at % sourceBytes, at, MAP_STEP, done));
      bed.engine().checkpoint();
      long before = ProcessCost.now().bytesWritten();
      Step step = what.call().apply(volume);
      double seconds = Bed.seconds(() -> Bed.inSteps(bytes, what.stepBytes(), DEPTH, step));
      measured.rates.add(bytes / 1e9 / seconds);
      bed.engine().awaitReclaim();
      bed.engine().checkpoint();
      measured.mib.add((ProcessCost.now().bytesWritten() - before) / (double) (1 << 20));
      readsAsZeros(volume, what.name());
    }
    bed.deleteWholly(id);
    return measured;
  }

  private static void readsAsZeros(Volume volume, String what) {
    ByteBuffer content = ByteBuffer.allocateDirect(SMALL_STEP);
    ByteBuffer zeros = ByteBuffer.allocateDirect(SMALL_STEP);
    long step = volume.sizeInBytes() / 64 / SMALL_STEP * SMALL_STEP;
    for (long at = 0; at < volume.sizeInBytes(); at += Math.max(step, SMALL_STEP)) {
      volume.read(at, content.clear());
      if (!content.flip().equals(zeros)) {
        throw new Mismatch("expected zeros at byte %d after %s".formatted(at, what));
      }
    }
  }
}

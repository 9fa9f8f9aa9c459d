package io.coppice.bench.engine;

import io.coppice.engine.VolumeId;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What a snapshot does to the I/O of a running volume: pairs of seconds, one after a snapshot was
/// taken and one after none was, in alternating order.
final class SnapshotEffect {

  private static final int PAIRS = 20;
  private static final int SLICES = 10;
  private static final Duration SLICE = Duration.ofMillis(100);

  private final Bed bed;
  private final VolumeId id;
  private final EngineSubject subject;
  private final PrintStream out;

  SnapshotEffect(Bed bed, VolumeId id, EngineSubject subject, PrintStream out) {
    this.bed = bed;
    this.id = id;
    this.subject = subject;
    this.out = out;
  }

  private record Second(double median, double worst) {}

  void measure(Load load) {
    List<Double> medians = new ArrayList<>();
    List<Double> worsts = new ArrayList<>();
    for (int i = 0; i < PAIRS; i++) {
      boolean snapshotFirst = i % 2 == 0;
      Second first = second(load, snapshotFirst);
      Second other = second(load, !snapshotFirst);
      Second with = snapshotFirst ? first : other;
      Second without = snapshotFirst ? other : first;
      medians.add(with.median / without.median);
      worsts.add(with.worst / without.worst);
    }
    out.printf(
        "%n%s, %d pairs, a snapshot taken / none: median %.2f, worst 100 ms against the control's worst %.2f (medians of the pairs)%n",
        load.name(), PAIRS, Rounds.median(medians), Rounds.median(worsts));
  }

  private Second second(Load load, boolean withSnapshot) {
    VolumeId snapshot = withSnapshot ? bed.snapshot(id) : null;
    List<Double> rates = new ArrayList<>();
    for (int i = 0; i < SLICES; i++) {
      rates.add(subject.run(load, SLICE).perSecond());
    }
    if (snapshot != null) {
      bed.delete(snapshot);
    }
    return new Second(
        Rounds.median(rates), rates.stream().mapToDouble(Double::doubleValue).min().orElseThrow());
  }
}

package io.coppice.bench.engine;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Runs a load against several subjects in turn, so that what disturbs one disturbs all, and prints
/// the medians as a row of a Markdown table.
final class Rounds {

  private final int rounds;
  private final Duration time;
  private final PrintStream out;

  Rounds(int rounds, Duration time, PrintStream out) {
    this.rounds = rounds;
    this.time = time;
    this.out = out;
  }

  void header() {
    out.printf(
        "%n| Work | Engine, per second (range) | Baseline | its per second (range) | Ratio | Device bytes per written byte, engine | CPU per I/O, engine / baseline |%n"
            + "|---|---|---|---|---|---|---|%n");
  }

  /// @param baseline what the ratio is against
  void compare(Load load, Subject subject, Subject baseline) {
    List<Reading> ours = new ArrayList<>();
    List<Reading> theirs = new ArrayList<>();
    subject.run(load, time.dividedBy(4));
    baseline.run(load, time.dividedBy(4));
    for (int i = 0; i < rounds; i++) {
      ours.add(subject.run(load, time));
      theirs.add(baseline.run(load, time));
    }
    double ratio = median(ours, Reading::perSecond) / median(theirs, Reading::perSecond);
    double amplification = median(ours, Reading::deviceBytesWritten) / load.blockBytes();
    out.printf(
        "| %s | %s | %s | %s | %.2f | %s | %.1f / %.1f µs |%n",
        load.name(),
        rate(ours),
        baseline.name(),
        rate(theirs),
        ratio,
        amplification == 0 ? "" : "%.2f".formatted(amplification),
        median(ours, Reading::cpuMicros),
        median(theirs, Reading::cpuMicros));
    out.flush();
  }

  private static String rate(List<Reading> readings) {
    List<Double> sorted = readings.stream().map(Reading::perSecond).sorted().toList();
    return "%.0f (%.0f-%.0f)"
        .formatted(median(readings, Reading::perSecond), sorted.getFirst(), sorted.getLast());
  }

  static double median(List<Reading> readings, ToDoubleFunction<Reading> figure) {
    return median(readings.stream().map(figure::applyAsDouble).toList());
  }

  static double median(List<Double> figures) {
    List<Double> sorted = figures.stream().sorted(Comparator.naturalOrder()).toList();
    return sorted.get(sorted.size() / 2);
  }
}

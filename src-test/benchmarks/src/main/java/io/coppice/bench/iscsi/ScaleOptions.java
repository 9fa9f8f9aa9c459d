package io.coppice.bench.iscsi;

import io.coppice.bench.BenchOptions;
import io.coppice.kit.Least;
import java.time.Duration;
import picocli.CommandLine.Option;

/// Options of `coppice bench scale`.
final class ScaleOptions extends BenchOptions {

  @Least(1)
  @Option(names = "--units", defaultValue = "1000")
  private int units;

  @Least(1)
  @Option(names = "--sessions", defaultValue = "64")
  private int sessions;

  @Least(1)
  @Option(names = "--depth", defaultValue = "8")
  private int depth;

  @Least(0)
  @Option(names = "--neighbours", defaultValue = "200")
  private int neighbours;

  @Least(1)
  @Option(names = "--seconds", defaultValue = "60")
  private int seconds;

  /// Bound units.
  int units() {
    return units;
  }

  /// Sessions at the same time.
  int sessions() {
    return sessions;
  }

  /// Commands of each session.
  int depth() {
    return depth;
  }

  /// Units that are measured beside a flooded one.
  int neighbours() {
    return Math.min(neighbours, units - 1);
  }

  /// For how long each is measured.
  Duration time() {
    return Duration.ofSeconds(seconds);
  }
}

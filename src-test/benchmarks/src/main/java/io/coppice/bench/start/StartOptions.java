package io.coppice.bench.start;

import io.coppice.bench.BenchOptions;
import io.coppice.kit.Least;
import picocli.CommandLine.Option;

/// Options of `coppice bench start`.
final class StartOptions extends BenchOptions {

  @Least(2)
  @Option(names = "--volumes", defaultValue = "10000")
  private int volumes;

  @Least(0)
  @Option(names = "--snapshots", defaultValue = "10000")
  private int snapshots;

  @Least(1)
  @Option(names = "--rounds", defaultValue = "5")
  private int rounds;

  @Option(names = "--home", defaultValue = "")
  private String home = "";

  /// Volumes of the full home.
  int volumes() {
    return volumes;
  }

  /// Snapshots of the full home.
  int snapshots() {
    return snapshots;
  }

  /// Starts of each home.
  int rounds() {
    return rounds;
  }

  /// The full home, which stays; empty: one that is thrown away.
  String home() {
    return home;
  }
}

package io.coppice.bench.replication;

import io.coppice.bench.BenchOptions;
import io.coppice.kit.Least;
import picocli.CommandLine.Option;

/// Options of `coppice bench replication`.
final class ReplicationOptions extends BenchOptions {

  private static final int QUICK_PART = 5;

  @Option(names = "--only", defaultValue = "")
  private String only = "";

  @Option(names = "--quick")
  private boolean quick;

  @Least(1)
  @Option(names = "--minutes", defaultValue = "5")
  private int minutes;

  @Least(5)
  @Option(names = "--interval", defaultValue = "15")
  private int interval;

  @Least(1)
  @Option(names = "--rounds", defaultValue = "5")
  private int rounds;

  @Least(1)
  @Option(names = "--vms", defaultValue = "20")
  private int vms;

  @Least(1)
  @Option(names = "--volumes", defaultValue = "100")
  private int volumes;

  @Least(1)
  @Option(names = "--catch-up", defaultValue = "1024")
  private int catchUp;

  /// Whether a part is to run.
  boolean wants(String part) {
    return part.contains(only);
  }

  /// Whether it is enough to see that everything runs.
  boolean isQuick() {
    return quick;
  }

  /// Minutes at a quarter of the rate.
  int minutes() {
    return minutes;
  }

  /// Seconds from one cycle to the next.
  int interval() {
    return quick ? QUICK_PART : interval;
  }

  /// Rounds of fail-over and fail-back, and pairs of times with and without cycles.
  int rounds() {
    return quick ? 1 : rounds;
  }

  /// Virtual machines that fail over.
  int vms() {
    return quick ? Math.max(1, vms / QUICK_PART) : vms;
  }

  /// Volumes that are written to.
  int volumes() {
    return quick ? Math.max(1, volumes / QUICK_PART) : volumes;
  }

  /// Bytes that are written while cycles are paused.
  long catchUp() {
    return (quick ? Math.max(1, catchUp / QUICK_PART / 2) : (long) catchUp) << 20;
  }
}

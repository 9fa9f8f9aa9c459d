package io.coppice.bench.iscsi;

import io.coppice.bench.BenchOptions;
import io.coppice.kit.Least;
import java.time.Duration;
import picocli.CommandLine.Option;

/// Options of `coppice bench target`.
final class TargetOptions extends BenchOptions {

  @Least(1)
  @Option(names = "--rounds", defaultValue = "5")
  private int rounds;

  @Least(1)
  @Option(names = "--seconds", defaultValue = "2")
  private int seconds;

  @Least(64)
  @Option(names = "--size", defaultValue = "1024")
  private int size;

  @Option(names = "--client", defaultValue = "")
  private String client = "";

  @Option(names = "--only", defaultValue = "")
  private String only = "";

  @Option(names = "--against", defaultValue = "")
  private String against = "";

  @Option(names = "--profile", defaultValue = "")
  private String profile = "";

  @Least(1024)
  @Option(names = "--pool", defaultValue = "16384")
  private int pool;

  int rounds() {
    return rounds;
  }

  /// How long each round takes.
  Duration time() {
    return Duration.ofSeconds(seconds);
  }

  /// Bytes of the disk.
  long size() {
    return (long) size << 20;
  }

  /// A fio that has the libiscsi engine, or `driver`; empty: the best that there is.
  String client() {
    return client;
  }

  /// What the name of a row must hold; empty for all rows.
  String only() {
    return only;
  }

  /// The jar of another provider, to compare with instead of tgtd; before and after a change.
  String against() {
    return against;
  }

  /// A file for a report of where our time goes; nothing is compared then.
  String profile() {
    return profile;
  }

  /// The capacity of the pool, as the setting takes it.
  String pool() {
    return pool + "MB";
  }
}

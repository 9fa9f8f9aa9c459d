package io.coppice.bench.iscsi;

import io.coppice.bench.BenchOptions;
import io.coppice.kit.Least;
import picocli.CommandLine.Option;

/// Options of `coppice bench copy`.
final class CopyOptions extends BenchOptions {

  @Least(4)
  @Option(names = "--size", defaultValue = "10240")
  private int size;

  @Least(1)
  @Option(names = "--depth", defaultValue = "8")
  private int depth;

  /// What is copied, in MiB.
  int size() {
    return size;
  }

  /// Commands that are under way.
  int depth() {
    return depth;
  }
}

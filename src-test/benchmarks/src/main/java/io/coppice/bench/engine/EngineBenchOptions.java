package io.coppice.bench.engine;

import picocli.CommandLine.Option;

/// Options of `coppice bench engine`.
final class EngineBenchOptions {

  @Option(names = "--quick")
  private boolean quick;

  @Option(names = "--only", defaultValue = "", paramLabel = "TEXT")
  private String only = "";

  /// Whether it is enough to see that everything runs.
  boolean isQuick() {
    return quick;
  }

  /// What a group's name must hold; empty for all groups.
  String only() {
    return only;
  }
}

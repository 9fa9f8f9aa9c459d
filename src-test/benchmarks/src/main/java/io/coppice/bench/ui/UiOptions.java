package io.coppice.bench.ui;

import io.coppice.bench.BenchOptions;
import io.coppice.kit.Least;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Options of `coppice bench ui`.
final class UiOptions extends BenchOptions {

  @Least(200)
  @Option(names = "--many", defaultValue = "10000")
  private int many;

  @Option(names = "--tests", required = true)
  private Path tests = Path.of("");

  /// Volumes, and snapshots of one volume.
  int many() {
    return many;
  }

  /// The folder of the tests in the browser.
  Path tests() {
    return tests;
  }
}

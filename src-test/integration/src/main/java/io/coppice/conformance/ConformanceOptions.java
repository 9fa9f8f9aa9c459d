package io.coppice.conformance;

import io.coppice.kit.ProviderOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options of the conformance run.
final class ConformanceOptions extends ProviderOptions {

  @Option(names = "--logs", paramLabel = "FOLDER")
  private @Nullable Path logs;

  /// The folder for the output of the suite's tool, if it is wanted.
  @Nullable Path logs() {
    return logs;
  }
}

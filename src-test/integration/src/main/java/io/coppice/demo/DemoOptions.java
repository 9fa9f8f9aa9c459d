package io.coppice.demo;

import io.coppice.kit.Least;
import io.coppice.kit.ProviderOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options of the demo.
final class DemoOptions extends ProviderOptions {

  @Option(names = "--json", paramLabel = "FILE")
  private @Nullable Path json;

  @Option(names = "--keep")
  private boolean keep;

  @Least(64)
  @Option(names = "--disk-mib", defaultValue = "1024")
  private int diskMib;

  /// The file that gets the table as JSON.
  @Nullable Path json() {
    return json;
  }

  /// Whether the provider runs on at the end.
  boolean keep() {
    return keep;
  }

  /// Size of the guest's disk.
  int diskMib() {
    return diskMib;
  }
}

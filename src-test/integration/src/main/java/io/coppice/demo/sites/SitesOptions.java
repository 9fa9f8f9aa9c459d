package io.coppice.demo.sites;

import io.coppice.kit.Least;
import io.coppice.kit.ProviderOptions;
import picocli.CommandLine.Option;

/// Options of the demo of two sites.
final class SitesOptions extends ProviderOptions {

  @Option(names = "--keep")
  private boolean keep;

  @Least(16)
  @Option(names = "--disk-mib", defaultValue = "128")
  private int diskMib;

  /// Whether both providers run on at the end.
  boolean keep() {
    return keep;
  }

  /// Size of the guest's disk; half of it is filled.
  int diskMib() {
    return diskMib;
  }
}

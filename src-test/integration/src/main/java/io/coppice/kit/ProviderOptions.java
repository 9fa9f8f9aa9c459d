package io.coppice.kit;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Options of a tool that starts a provider.
public class ProviderOptions {

  @Option(names = "--provider-jar", required = true, paramLabel = "FILE")
  private Path providerJar = Path.of("");

  /// The provider's executable jar.
  public Path providerJar() {
    return providerJar;
  }
}

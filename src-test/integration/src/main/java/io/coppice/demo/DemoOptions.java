package io.coppice.demo;

import io.coppice.harness.Mismatch;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What the command line of the demo says.
///
/// | Component | Meaning |
/// |---|---|
/// | `providerJar` | the provider's executable jar |
/// | `json` | file that gets the table as JSON |
/// | `keep` | leave the provider running at the end |
/// | `diskMib` | size of the guest's disk, at least 64 |
record DemoOptions(Path providerJar, @Nullable Path json, boolean keep, int diskMib) {

  static DemoOptions parse(String[] arguments) {
    Path providerJar = null;
    Path json = null;
    boolean keep = false;
    int diskMib = 1024;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--provider-jar" -> providerJar = Path.of(value(arguments, ++i));
        case "--json" -> json = Path.of(value(arguments, ++i));
        case "--keep" -> keep = true;
        case "--disk-mib" -> diskMib = Integer.parseInt(value(arguments, ++i));
        default ->
            throw new Mismatch("expected --json FILE, --keep or --disk-mib N, got " + arguments[i]);
      }
    }
    if (providerJar == null) {
      throw new Mismatch("expected --provider-jar FILE");
    }
    if (diskMib < 64) {
      throw new Mismatch("expected a disk of at least 64 MiB, got " + diskMib);
    }
    return new DemoOptions(providerJar, json, keep, diskMib);
  }

  private static String value(String[] arguments, int index) {
    if (index >= arguments.length) {
      throw new Mismatch("expected a value after " + arguments[index - 1]);
    }
    return arguments[index];
  }
}

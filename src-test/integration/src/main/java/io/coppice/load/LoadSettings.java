package io.coppice.load;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The amount of load, and its length.
///
/// | Component | Meaning |
/// |---|---|
/// | `length` | how long machines are worked on; stops of the provider do not count |
/// | `hosts` | ESXi hosts |
/// | `withSessions` | how many of them log in over iSCSI and read and write what they bind |
/// | `machines` | virtual machines that there are room for |
/// | `atOnce` | operations at a time |
/// | `kills` | how often the provider is ended by SIGKILL |
/// | `seed` | of the choice of machines, operations and moments |
public record LoadSettings(
    Path providerJar,
    Duration length,
    int hosts,
    int withSessions,
    int machines,
    int atOnce,
    int kills,
    long seed,
    List<String> providerSettings) {

  public LoadSettings {
    providerSettings = List.copyOf(providerSettings);
    if (hosts < 1 || withSessions > hosts || machines < atOnce || atOnce < 1 || kills < 0) {
      throw new IllegalArgumentException(
          "expected at least one host, no more hosts with sessions than hosts, and as many machines"
              + " as operations at once, got %d, %d, %d and %d"
                  .formatted(hosts, withSessions, machines, atOnce));
    }
  }
}

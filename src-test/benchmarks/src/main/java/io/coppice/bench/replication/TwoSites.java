package io.coppice.bench.replication;

import io.coppice.bench.DiskFiles;
import io.coppice.harness.ProcessIo;
import io.coppice.load.ProviderCost;
import io.coppice.sites.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Two paired sites on pools of their own, as `coppice up` makes them, whose files were written
/// over once, as if the log had been around them.
record TwoSites(Site first, Site second) implements AutoCloseable {

  /// The storage container of each.
  static final String CONTAINER = "bench";

  static final long QUOTA = 1L << 42;

  /// @param capacity of each pool, as the setting takes it
  /// @param secondLap whether the files are written over
  static TwoSites start(Path jar, Path folder, String capacity, boolean secondLap)
      throws IOException {
    List<String> settings =
        List.of("--coppice.pool.capacity=" + capacity, "--coppice.pool.thin=false");
    TwoSites sites =
        new TwoSites(
            new Site(jar, folder.resolve("a"), "a", settings),
            new Site(jar, folder.resolve("b"), "b", settings));
    try {
      System.err.printf("making two pools of %s ...%n", capacity);
      sites.start();
      if (secondLap) {
        System.err.println("writing over both pools' files once ...");
        for (Site site : List.of(sites.first, sites.second)) {
          site.process().stop();
          DiskFiles.writeOver(site.process().home().resolve("pool").resolve("pool"));
        }
        sites.start();
      }
      sites.first.pair(sites.second);
      return sites;
    } catch (IOException | RuntimeException e) {
      sites.close();
      throw e;
    }
  }

  private void start() {
    first.start();
    second.start();
    first.awaitReady();
    second.awaitReady();
  }

  /// The cost of both providers so far.
  Cost cost() {
    return new Cost(SiteCost.of(first), SiteCost.of(second));
  }

  /// The costs of both.
  record Cost(SiteCost first, SiteCost second) {

    Cost since(Cost earlier) {
      return new Cost(first.since(earlier.first), second.since(earlier.second));
    }
  }

  /// The cost of one provider, with its database, by the kernel's count.
  ///
  /// @param cpu user and system time
  /// @param written bytes that the provider sent to its device
  record SiteCost(Duration cpu, long written) {

    static SiteCost of(Site site) {
      long pid = site.process().pid();
      return new SiteCost(ProviderCost.cpuOf(pid), ProcessIo.of(pid).bytesWritten());
    }

    SiteCost since(SiteCost earlier) {
      return new SiteCost(cpu.minus(earlier.cpu), written - earlier.written);
    }
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }
}

package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.harness.ProviderJar;
import io.coppice.load.LoadReport;
import io.coppice.load.LoadSettings;
import io.coppice.load.VasaLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A small form of `coppice bench vasa`: machines of many hosts at once, with and without kills.
class VasaLoadIT {

  private static final Duration LENGTH = Duration.ofSeconds(20);

  @TempDir private Path folder;

  @Test
  void manyMachinesAtOnceMeetNoErrorAndLeaveNoOrphan() throws IOException {
    LoadReport report = run(0);

    assertThat(report.figures().operations()).isPositive();
    assertThat(report.memory()).isNotEmpty();
  }

  @Test
  void killsLoseNothingAndLeaveNothingBehind() throws IOException {
    LoadReport report = run(3);

    assertThat(report.restarts()).hasSize(3);
    assertThat(report.figures().operations()).isPositive();
  }

  private LoadReport run(int kills) throws IOException {
    long seed = Long.getLong("test.seed", 5);
    LoadSettings settings =
        new LoadSettings(
            ProviderJar.served(),
            LENGTH,
            8,
            2,
            24,
            8,
            kills,
            seed,
            List.of("--coppice.pool.capacity=8GB"));
    LoadReport report = VasaLoad.run(settings, folder, System.out::println);
    report.print(System.out);
    assertThat(report.findings()).as("orphans and losses, seed %d", seed).isEmpty();
    assertThat(report.figures().errors()).as("errors, seed %d", seed).isEmpty();
    return report;
  }
}

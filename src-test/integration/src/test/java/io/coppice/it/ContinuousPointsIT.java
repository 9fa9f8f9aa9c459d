package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import io.coppice.harness.WriteLoad;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Continuous points of a volume of a real provider, also while the database is away.
class ContinuousPointsIT {

  private static final String INITIATOR = "iqn.2026-11.test.host:one";
  private static final String POINTS = "coppice_timeline_points";

  @TempDir private Path folder;

  @Test
  void pointsComeWhileTheDatabaseIsAway() throws Exception {
    try (RunningProvider provider = RunningProvider.start(folder)) {
      String url = provider.exportPlainVolume("plain", 64L << 20, INITIATOR);
      String target = url.split("/")[3];
      Lun lun = Lun.flat(Integer.parseInt(url.split("/")[4]));
      protect(provider.rest());
      await(() -> figure(provider.rest(), "coppice_timeline_volumes") == 1);
      try (IscsiPath path =
              IscsiPath.open(
                  provider.process().portal(),
                  target,
                  LoginSettings.of(INITIATOR, 1),
                  new WireCounters());
          WriteLoad load = new WriteLoad(() -> new LogicalUnit(path, lun), 0, 4096)) {
        load.start();
        await(() -> figure(provider.rest(), POINTS) >= 3);
        provider.process().kill();
        load.join();

        try (ProviderProcess again =
            provider
                .process()
                .restartedWith(
                    List.of("--coppice.database.url=jdbc:postgresql://127.0.0.1:1/gone"))) {
          again.start();
          again.awaitPortal(Duration.ofSeconds(30));
          path.reconnect(Duration.ofSeconds(30));
          RestClient rest = new RestClient(again.management(), again.adminToken());
          await(() -> figure(rest, POINTS) >= 3);
          double before = figure(rest, POINTS);
          load.start();
          await(() -> figure(rest, POINTS) >= before + 2);
          load.stop();

          assertThat(figure(rest, "coppice_database_up")).isZero();
          assertThat(figure(rest, "coppice_timeline_failures_total")).isZero();
        }
      }
    }
  }

  private static void protect(RestClient rest) {
    String volume = rest.get("volumes?name=plain").at("/items/0/id").asString();
    String policy =
        rest.post(
                "protection-policies",
                """
                {"name": "quick", "rules": [], "continuous": [{"every": "PT1S", "keepFor": "PT1H"}]}
                """)
            .get("id")
            .asString();
    rest.post(
        "protection-groups",
        "{\"name\": \"shop\", \"policy\": \"%s\", \"members\": [{\"volume\": \"%s\"}]}"
            .formatted(policy, volume));
  }

  /// The figure of a metric; -1 while the page is not served.
  private static double figure(RestClient rest, String metric) {
    String page;
    try {
      page = rest.text("/metrics");
    } catch (Mismatch starting) { // the port opens after that of the target
      return -1;
    }
    return page.lines()
        .filter(line -> line.startsWith(metric + " "))
        .mapToDouble(line -> Double.parseDouble(line.split(" ")[1]))
        .findFirst()
        .orElse(-1);
  }

  private static void await(BooleanSupplier wanted) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!wanted.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for a minute").isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }
}

package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.WriteLoad;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A provider that is killed under load and comes back while its database does not.
class RestartWithoutDatabaseIT {

  private static final String INITIATOR = "iqn.2026-11.test.host:one";

  @TempDir private Path folder;

  @Test
  void theTargetServesFromThePoolAloneAndLostNoAcknowledgedWrite() {
    try (RunningProvider provider = RunningProvider.start(folder)) {
      String url = provider.exportPlainVolume("plain", 64L << 20, INITIATOR);
      String target = url.split("/")[3];
      Lun lun = Lun.flat(Integer.parseInt(url.split("/")[4]));
      try (IscsiPath path =
              IscsiPath.open(
                  provider.process().portal(),
                  target,
                  LoginSettings.of(INITIATOR, 1),
                  new WireCounters());
          WriteLoad load = new WriteLoad(() -> new LogicalUnit(path, lun), 0, 4096)) {
        load.start();
        load.await(500);
        provider.process().kill();
        load.join();
        long[] acknowledged = load.acknowledgedNow();

        try (ProviderProcess again =
            provider
                .process()
                .restartedWith(
                    List.of("--coppice.database.url=jdbc:postgresql://127.0.0.1:1/gone"))) {
          long start = System.nanoTime();
          again.start();
          again.awaitPortal(Duration.ofSeconds(30));
          path.reconnect(Duration.ofSeconds(30));
          new LogicalUnit(path, lun).read(0, 8, 512);
          Duration toFirstRead = Duration.ofNanos(System.nanoTime() - start);

          System.out.printf(
              "start to first read with the database down: %d ms%n", toFirstRead.toMillis());
          assertThat(load.wasCutOff()).isTrue();
          assertThat(load.verify(new LogicalUnit(path, lun), acknowledged)).isPositive();
          load.start();
          load.await(load.acknowledgedWrites() + 100);
          load.stop();
          assertThat(load.wasCutOff()).isFalse();
        }
      }
    }
  }
}

package io.coppice.vasa.protection.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.journal.JournalTier;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PointCutsTest {

  @AutoClose private final HikariDataSource database = new HikariDataSource();
  private ControlPlane plane;
  private VolumeId volume;
  private PointCuts cuts;

  @BeforeEach
  void open() {
    database.setDataSource(TestDatabase.fresh());
    plane = new ControlPlane(database);
    cuts = plane.protection.cuts;
    volume = plane.volume(plane.container("c1"), ControlPlane.GIB);
    plane
        .engine
        .journals()
        .keep(
            OperationId.random(),
            volume,
            List.of(new JournalTier(Duration.ofSeconds(5), Duration.ofHours(1))));
  }

  private int points() {
    return plane.engine.journals().points(volume, Instant.EPOCH, 1000).size();
  }

  @Test
  @Timeout(60)
  void pointsComeWhileTheDatabaseIsStopped() throws InterruptedException {
    database.close();
    int before = points();
    cuts.start();
    try {
      while (points() < before + 3) {
        plane.write(volume, 0, 4096, points());
        plane.clock.advance(Duration.ofSeconds(5));
        Thread.sleep(20);
      }
    } finally {
      cuts.close();
    }

    assertThat(cuts.failures()).isZero();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("continuous-points");
  }

  @Test
  void failuresAreCountedUntilItWorksAgain() {
    cuts.round();
    plane.hooks.before(
        "journals.cutDue",
        () -> {
          throw new StorageException.OutOfSpace("the pool is full");
        });
    plane.clock.advance(Duration.ofSeconds(70));

    cuts.round();
    cuts.round();

    assertThat(cuts.failures()).isEqualTo(2);
    assertThat(cuts.failure()).contains("the pool is full");
    assertThat(cuts.lag()).isEqualTo(Duration.ofSeconds(70));
    plane.hooks.before("journals.cutDue", () -> {});
    cuts.round();
    assertThat(cuts.failure()).isEmpty();
    assertThat(cuts.lag()).isZero();
    assertThat(cuts.failures()).isEqualTo(2);
  }

  @Test
  void withoutJournalsNothingIsLate() {
    plane.engine.journals().end(OperationId.random(), volume);
    plane.clock.advance(Duration.ofHours(1));

    assertThat(cuts.lag()).isZero();
    assertThat(cuts.counts()).isEqualTo(new TimelineCounts(0, 0, 0, Duration.ZERO));
  }
}

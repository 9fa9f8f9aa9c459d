package io.coppice.vasa.volume.snapshot;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.made;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import com.zaxxer.hikari.HikariDataSource;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import io.coppice.vasa.testing.TestDatabase;
import io.coppice.vasa.volume.SnapshotSchedule;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SnapshotSchedulesTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private static final int MACHINES = 1000;

  private ControlPlane plane;
  private StorageContainer container;
  private OfferedProfile hourly;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
    hourly =
        plane.profiles.create(
            new ProfileDraft(
                "hourly", "", new Requirements(null, HOUR, HOUR.multipliedBy(3)), Set.of()),
            "admin");
  }

  @Test
  void snapshotIsTakenWhenDueAndDeletedWhenItsTimeIsOver() {
    VolumeId disk = disk("vm-1");
    assertThat(plane.schedules.takeDue()).isZero();

    for (int hour = 0; hour < 10; hour++) {
      plane.clock.advance(HOUR);
      assertThat(plane.schedules.takeDue()).isEqualTo(1);
      plane.schedules.deleteExpired();
    }

    assertThat(plane.snapshots.of(disk)).hasSize(3);
    assertThat(plane.engine.list()).hasSize(4);
    assertThat(plane.schedules.takeDue()).isZero();
    plane.ownWork.writeAll();
    assertThat(plane.ownRecords)
        .extracting(AuditRecord::action, entry -> entry.value("done").orElseThrow())
        .containsExactly(tuple("snapshots.expire", "7"), tuple("snapshots.take", "10"));
  }

  @Test
  void disksOfOneMachineAreOneGroup() {
    disk("vm-1");
    disk("vm-1");
    disk("vm-2");
    AtomicInteger calls = new AtomicInteger();
    plane.hooks.before("snapshot", calls::incrementAndGet);
    plane.clock.advance(HOUR);

    assertThat(plane.schedules.takeDue()).isEqualTo(3);

    assertThat(calls).hasValue(2);
  }

  @Test
  void disksOfOneMachineAreOneGroupWheneverTheyWereMade() {
    AtomicInteger calls = new AtomicInteger();
    VolumeId first = disk("vm-1");
    plane.clock.advance(Duration.ofSeconds(1234));
    VolumeId second = disk("vm-1");
    plane.clock.advance(Duration.ofSeconds(777));
    VolumeId joined = disk("vm-2");
    plane.volumes.updateMetadata(joined, Map.of("VMW_VmID", "vm-1"), Set.of());
    plane.clock.advance(HOUR);
    plane.schedules.takeDue(); // what was due before all were there
    plane.hooks.before("snapshot", calls::incrementAndGet);

    assertThat(takenIn(Duration.ofHours(3))).isEqualTo(9);
    assertThat(calls).as("groups").hasValue(3);

    assertThat(plane.schedules.page(RowOrder.by("vvol"), 10))
        .extracting(SnapshotSchedule::next)
        .containsOnly(plane.schedules.require(first).next());
    assertThat(plane.schedules.require(second).last())
        .isEqualTo(plane.schedules.require(joined).last());
  }

  @Test
  void disksOfALongerIntervalAreInTheGroupOfTheShorterOne() {
    disk("vm-1");
    plane.clock.advance(Duration.ofMinutes(25));
    VolumeId daily = disk("vm-1");
    OfferedProfile other =
        plane.profiles.create(
            new ProfileDraft(
                "daily", "", new Requirements(null, Duration.ofDays(1), null), Set.of()),
            "admin");
    plane.policies.apply(daily, other.asStorageProfile());
    AtomicInteger calls = new AtomicInteger();
    plane.hooks.before("snapshot", calls::incrementAndGet);

    assertThat(takenIn(Duration.ofDays(1))).isEqualTo(25);
    assertThat(calls).as("groups").hasValue(24);
  }

  @Test
  void limitOfARoundSplitsNoMachine() {
    try (HikariDataSource pooled = new HikariDataSource()) {
      pooled.setDataSource(TestDatabase.fresh());
      pooled.setConnectionInitSql("set synchronous_commit = off");
      plane = new ControlPlane(pooled);
      container = plane.containers.create("c1", 1L << 50);
      hourly =
          plane.profiles.create(
              new ProfileDraft("hourly", "", new Requirements(null, HOUR, null), Set.of()),
              "admin");
      for (int number = 0; number < 2 * MACHINES; number++) {
        disk("vm-" + number % MACHINES);
        if (number % 100 == 0) {
          plane.clock.advance(Duration.ofSeconds(7));
        }
      }
      AtomicInteger calls = new AtomicInteger();
      plane.hooks.before("snapshot", calls::incrementAndGet);
      plane.clock.advance(HOUR);

      int first = plane.schedules.takeDue();

      assertThat(first).isBetween(1000, 1001);
      assertThat(calls).hasValue(first / 2);
      while (plane.schedules.takeDue() > 0) {}
      assertThat(calls).as("groups of %d machines", MACHINES).hasValue(MACHINES);
    }
  }

  @Test
  void missedRunsAreMadeUpForByOneInTheOldRhythm() {
    VolumeId disk = disk("vm-1");
    Instant first = plane.schedules.require(disk).next();
    assertThat(first).isAfter(plane.clock.instant());
    plane.clock.advance(Duration.ofMinutes(330));

    assertThat(plane.schedules.takeDue()).isEqualTo(1);

    assertThat(plane.schedules.require(disk).next())
        .isBetween(plane.clock.instant(), plane.clock.instant().plus(HOUR));
    assertThat(Duration.between(first, plane.schedules.require(disk).next()).toSeconds() % 3600)
        .isZero();
    assertThat(plane.schedules.require(disk).last()).isEqualTo(plane.clock.instant());
  }

  @Test
  void policyThatChangesWhileARunIsMadeKeepsItsOwnNextRun() {
    VolumeId disk = disk("vm-1");
    plane.clock.advance(HOUR);
    Instant now = plane.clock.instant();
    plane.hooks.after(
        "snapshot",
        () ->
            plane
                .jdbc
                .sql("update snapshot_schedule set next_run = :next")
                .param("next", now.plusSeconds(60).atOffset(ZoneOffset.UTC))
                .update());

    assertThat(plane.schedules.takeDue()).isEqualTo(1);

    assertThat(plane.schedules.require(disk).next()).isEqualTo(now.plusSeconds(60));
  }

  @Test
  void failedRunIsReportedAndRepeated() {
    VolumeId disk = disk("vm-1");
    plane.hooks.before(
        "snapshot",
        () -> {
          throw new StorageException.OutOfSpace("the pool is full");
        });
    plane.clock.advance(HOUR);

    assertThat(plane.schedules.takeDue()).isZero();
    assertThat(plane.schedules.require(disk).lastError()).isEqualTo("the pool is full");
    assertThat(plane.snapshots.of(disk)).isEmpty();
    plane.hooks.before("snapshot", () -> {});
    plane.clock.advance(Duration.ofMinutes(1));

    assertThat(plane.schedules.takeDue()).isEqualTo(1);
    assertThat(plane.schedules.require(disk).lastError()).isNull();
    plane.ownWork.writeAll();
    assertThat(plane.ownRecords)
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.action()).isEqualTo("snapshots.take");
              assertThat(entry.value("done")).contains("1");
              assertThat(entry.value("failed")).contains("1");
              assertThat(entry.value("failure")).contains(disk + ": the pool is full");
            });
  }

  @Test
  void runCutShortIsRepeatedAfterARestart() {
    VolumeId disk = disk("vm-1");
    plane.clock.advance(HOUR);
    plane.hooks.endProcess("snapshot", true);
    assertThat(catchThrowable(() -> plane.schedules.takeDue())).isInstanceOf(ProcessEnded.class);

    plane = plane.restarted();
    plane.reconciliation.atStart();

    assertThat(plane.snapshots.of(disk)).isEmpty();
    assertThat(plane.schedules.takeDue()).isEqualTo(1);
    assertThat(plane.engine.list()).hasSize(2);
  }

  @Test
  void exportedSnapshotOutlivesItsTimeUntilItIsFree() {
    VolumeId disk = disk("vm-1");
    plane.clock.advance(HOUR);
    plane.schedules.takeDue();
    VolumeId snapshot = plane.snapshots.of(disk).getFirst().id();
    plane.luns.export(
        OperationId.random(), snapshot, Optional.empty(), true, Set.of("iqn.2026-11.test:x"));
    plane.clock.advance(HOUR.multipliedBy(4));

    assertThat(plane.schedules.deleteExpired()).isZero();
    plane.luns.unexport(OperationId.random(), snapshot);

    assertThat(plane.schedules.deleteExpired()).isEqualTo(1);
  }

  @Test
  void snapshotsOfADeletedVolumeAreStillDeletedInTime() {
    VolumeId disk = disk("vm-1");
    plane.clock.advance(HOUR);
    plane.schedules.takeDue();
    plane.volumes.delete(disk);
    assertThat(plane.schedules.page(RowOrder.by("vvol"), 10)).isEmpty();
    plane.clock.advance(HOUR.multipliedBy(3));

    assertThat(plane.schedules.deleteExpired()).isEqualTo(1);
    assertThat(plane.engine.list()).isEmpty();
  }

  /// Looks every five minutes.
  private int takenIn(Duration time) {
    int taken = 0;
    for (long minute = 0; minute < time.toMinutes(); minute += 5) {
      plane.clock.advance(Duration.ofMinutes(5));
      taken += plane.schedules.takeDue();
    }
    return taken;
  }

  private VolumeId disk(String machine) {
    return made(
        plane.volumes.create(
            new NewVolume(
                container.id(),
                VolumeType.DATA,
                VolumeOrigin.HOST,
                hourly.asStorageProfile(),
                GIB,
                Map.of("VMW_VmID", machine))));
  }
}

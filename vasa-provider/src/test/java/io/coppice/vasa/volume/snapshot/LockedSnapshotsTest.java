package io.coppice.vasa.volume.snapshot;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.HOST;
import static io.coppice.vasa.testing.ControlPlane.SESSION;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import io.coppice.vasa.volume.VolumeOrigin;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LockedSnapshotsTest {

  private static final Duration WEEK = Duration.ofDays(7);

  private ControlPlane plane;
  private StorageContainer container;
  private VolumeId disk;
  private VolumeId snapshot;
  private Instant end;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
    disk = plane.volume(container, GIB);
    plane.write(disk, 0, 4096, 7);
    snapshot = plane.snapshot(disk);
    end = plane.locked.endOf(WEEK);
  }

  private void requireKept() {
    assertThat(plane.volumes.find(snapshot)).isPresent();
    assertThat(plane.locked.lockedUntil(snapshot)).contains(end);
    assertThat(plane.read(snapshot, 0)).isEqualTo(7);
  }

  @Test
  void lockedSnapshotAndItsVolumeAreKept() {
    plane.locked.lock(snapshot, end);

    assertFault("ResourceInUse", () -> plane.volumes.delete(snapshot));
    assertFault("ResourceInUse", () -> plane.volumes.delete(disk));
    assertThat(catchThrowable(() -> plane.volumes.delete(disk)))
        .hasMessageContaining(snapshot.toString())
        .hasMessageContaining(end.toString());
    assertFault("ResourceInUse", () -> plane.containers.delete(container.id()));
    plane.write(disk, 0, 4096, 8);
    plane.reverts.revert(disk, snapshot);
    plane.volumes.updateMetadata(snapshot, Map.of("a", "b"), Set.of("VMW_VVolName"));
    requireKept();

    plane.clock.advance(WEEK.plusSeconds(1));
    plane.volumes.delete(snapshot);
    plane.volumes.delete(disk);
    assertThat(plane.engine.list()).isEmpty();
  }

  /// What vCenter and hosts can ask for, with the locked snapshot in each place that takes a
  /// volume.
  @Test
  void noCallOfVasaEndsOrChangesALockedSnapshot() {
    plane.locked.lock(snapshot, end);
    VolumeId other = plane.volume(container, GIB);
    String endpoint = plane.declareHost().iterator().next();
    StorageProfile thick = thick();
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("delete", () -> plane.volumes.delete(snapshot));
    calls.put("delete the volume", () -> plane.volumes.delete(disk));
    calls.put("resize", () -> plane.volumes.resize(snapshot, 2 * GIB));
    calls.put("grow the volume", () -> plane.volumes.resize(disk, 2 * GIB));
    calls.put("revert", () -> plane.reverts.revert(disk, snapshot));
    calls.put("revert the snapshot", () -> plane.reverts.revert(snapshot, snapshot));
    calls.put("metadata", () -> plane.volumes.updateMetadata(snapshot, Map.of("a", "b"), Set.of()));
    calls.put("profile", () -> plane.policies.apply(snapshot, thick));
    calls.put("profile of the volume", () -> plane.policies.apply(disk, thick));
    calls.put("snapshot of it", () -> plane.snapshots.prepare(snapshot, null, SESSION));
    calls.put("take again", () -> plane.snapshots.take(List.of(again()), Duration.ofSeconds(1)));
    calls.put("copy onto it", () -> plane.clones.copyDiffs(disk, other, snapshot));
    calls.put("copy onto the volume", () -> plane.clones.copyDiffs(snapshot, snapshot, disk));
    calls.put("forget prepared ones", () -> plane.snapshots.forgetPrepared(Set.of()));
    calls.put(
        "bind, unbind and delete",
        () -> {
          plane.bindings.bind(HOST, Set.of(endpoint), List.of(snapshot));
          assertFault("ResourceInUse", () -> plane.volumes.delete(snapshot));
          plane.bindings.unbindAll(HOST);
          plane.volumes.delete(snapshot);
        });
    calls.put("delete the container", () -> plane.containers.delete(container.id()));

    calls.forEach(
        (name, call) -> {
          Throwable refusal = catchThrowable(call);
          assertThat(refusal == null || refusal instanceof VasaException).as(name).isTrue();
          requireKept();
        });
  }

  private StorageProfile thick() {
    ProfileDraft draft =
        new ProfileDraft(
            "thick", "", new Requirements(SpaceEfficiency.THICK, null, null), Set.of());
    return plane.profiles.create(draft, "admin").asStorageProfile();
  }

  private Snapshots.Prepared again() {
    return new Snapshots.Prepared(snapshot, Map.of());
  }

  @Test
  void locksAreLengthenedNeverShortened() {
    plane.locked.lock(snapshot, end.minus(Duration.ofDays(1)));
    plane.locked.lock(snapshot, end);

    assertFault("ResourceInUse", () -> plane.locked.lock(snapshot, end.minusSeconds(1)));
    plane.locked.lockAtLeast(snapshot, end.minusSeconds(1));
    plane.locked.lock(snapshot, end);
    requireKept();
  }

  @Test
  void badLocksAreRefused() {
    assertFault("InvalidArgument", () -> plane.locked.lock(snapshot, plane.locked.now()));
    assertFault(
        "InvalidArgument",
        () -> plane.locked.lock(snapshot, plane.locked.endOf(Duration.ofDays(30)).plusSeconds(9)));
    assertFault("InvalidArgument", () -> plane.locked.lock(snapshot, Instant.MAX));
    assertFault("NotSupported", () -> plane.locked.lock(disk, end));
    assertFault("NotFound", () -> plane.locked.lock(VolumeId.random(), end));
    VolumeId prepared =
        ControlPlane.prepared(plane.snapshots.prepare(disk, null, ControlPlane.SESSION));
    assertFault("NotFound", () -> plane.locked.lock(prepared, end));
    assertThat(plane.locked.lockedUntil(snapshot)).isEmpty();
  }

  @Test
  void retentionWaitsForTheEndOfALock() {
    VolumeId scheduled =
        plane
            .snapshots
            .takeNow(List.of(disk), VolumeOrigin.SCHEDULE, Map.of(), () -> {})
            .getFirst();
    plane.locked.lock(scheduled, end);

    assertThat(plane.store.isUsed(scheduled)).isTrue();
    plane.clock.advance(WEEK);
    assertThat(plane.store.isUsed(scheduled)).isFalse();
  }

  /// The process ends at each step, at locking and at lengthening.
  @Test
  void aHaltLeavesALockOrNoneAndEveryRestartAgrees() {
    for (Instant before : List.of(Instant.MIN, end.minusSeconds(9))) {
      boolean ended = true;
      for (int step = 1; ended; step++) {
        VolumeId another = plane.snapshot(disk);
        if (before.isAfter(Instant.MIN)) {
          plane.locked.lock(another, before);
        }
        plane.steps.at(step);
        ended = catchThrowable(() -> plane.locked.lock(another, end)) instanceof ProcessEnded;
        plane.steps.at(0);
        plane.target.close();
        plane = plane.restarted();
        plane.reconciliation.atStart();

        Instant held = plane.locked.lockedUntil(another).orElse(Instant.MIN);
        assertThat(held).isIn(before, end);
        assertThat(plane.volumes.find(another)).isPresent();
        if (!ended) {
          assertThat(held).isEqualTo(end);
          assertThat(step).as("steps that a lock has").isGreaterThan(2);
        }
        plane.locked.lock(another, end);
        assertFault("ResourceInUse", () -> plane.volumes.delete(another));
      }
    }
  }

  /// A row of an older copy of the database says that the snapshot was never finished.
  @Test
  void recoveryKeepsALockedSnapshotWhateverItsRowSays() {
    plane.locked.lock(snapshot, end);
    VolumeId other = plane.snapshot(disk);
    for (VolumeId each : List.of(snapshot, other)) {
      String operation =
          plane.engine.find(each).orElseThrow().attributes().get("coppice.operation");
      plane
          .jdbc
          .sql(
              "update volume set state = 'CREATING', operation_id = cast(:o as uuid) where id = :id")
          .param("o", operation)
          .param("id", each.value())
          .update();
      plane
          .jdbc
          .sql(
              """
              insert into operation (id, kind, volume_id, started_at)
              values (cast(:o as uuid), 'SNAPSHOT', :id, now())
              """)
          .param("o", operation)
          .param("id", each.value())
          .update();
    }
    plane.target.close();
    plane = plane.restarted();

    plane.reconciliation.atStart();

    requireKept();
    assertThat(plane.engine.find(other)).as("it is not locked").isEmpty();
  }

  @Test
  void lossOfTheDatabaseLosesNoLock() {
    plane.locked.lock(snapshot, end);
    plane.target.close();
    plane = plane.withoutItsDatabase();
    plane.reconciliation.atStart();

    requireKept();
    assertThat(catchThrowable(() -> plane.volumes.delete(disk))).isInstanceOf(VasaException.class);
  }
}

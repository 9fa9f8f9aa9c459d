package io.coppice.vasa.volume.snapshot;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.HOST;
import static io.coppice.vasa.testing.ControlPlane.KEPT;
import static io.coppice.vasa.testing.ControlPlane.LIFETIME;
import static io.coppice.vasa.testing.ControlPlane.SESSION;
import static io.coppice.vasa.testing.ControlPlane.prepared;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.snapshot.SnapshotOutcome.Refused;
import io.coppice.vasa.volume.snapshot.SnapshotOutcome.Taken;
import io.coppice.vasa.volume.snapshot.Snapshots.Prepared;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SnapshotsTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private ControlPlane plane;
  private StorageContainer container;
  private VolumeId disk;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
    disk = plane.volume(container, GIB);
  }

  @Test
  void preparedSnapshotIsARowAndNotInThePool() {
    VolumeId snapshot = prepared(plane.snapshots.prepare(disk, null, SESSION));

    assertThat(plane.volumes.require(snapshot).state()).isEqualTo(VvolState.PREPARED);
    assertThat(plane.engine.find(snapshot)).isEmpty();
    assertThat(plane.volumes.find(List.of(snapshot))).isEmpty();
    plane.volumes.delete(snapshot);
    assertThat(plane.volumes.find(snapshot)).isEmpty();
  }

  @Test
  void preparedSnapshotThatNobodyTakesIsForgottenADayAfterItsSessionEnded() {
    UUID longer = UUID.randomUUID();
    VolumeId abandoned = prepared(plane.snapshots.prepare(disk, null, SESSION));
    VolumeId kept = prepared(plane.snapshots.prepare(disk, null, longer));
    plane.clock.advance(KEPT.multipliedBy(3));
    assertThat(plane.snapshots.forgetPrepared(Set.of(SESSION, longer)))
        .as("both sessions live")
        .isZero();
    assertThat(plane.snapshots.forgetPrepared(Set.of(longer))).as("one ends now").isZero();
    plane.clock.advance(KEPT);
    assertThat(plane.snapshots.forgetPrepared(Set.of(longer))).isZero();
    plane.clock.advance(Duration.ofSeconds(1));

    assertThat(plane.snapshots.forgetPrepared(Set.of(longer))).isEqualTo(1);

    assertThat(plane.volumes.find(abandoned)).isEmpty();
    assertThat(plane.snapshots.take(List.of(new Prepared(kept, Map.of())), TIMEOUT))
        .singleElement()
        .isInstanceOf(Taken.class);
  }

  @Test
  void preparedSnapshotThatNobodyTakesEndsThoughItsSessionLives() {
    VolumeId old = prepared(plane.snapshots.prepare(disk, null, SESSION));
    plane.clock.advance(LIFETIME.dividedBy(2));
    VolumeId young = prepared(plane.snapshots.prepare(disk, null, SESSION));
    plane.clock.advance(LIFETIME.dividedBy(2));
    assertThat(plane.snapshots.forgetPrepared(Set.of(SESSION))).as("not older yet").isZero();
    plane.clock.advance(Duration.ofSeconds(1));

    assertThat(plane.snapshots.forgetPrepared(Set.of(SESSION))).isEqualTo(1);

    List<SnapshotOutcome> outcomes = plane.snapshots.take(List.of(item(old), item(young)), TIMEOUT);
    assertThat(fault(outcomes.getFirst())).isEqualTo("NotFound");
    assertThat(outcomes.getLast()).isEqualTo(new Taken(young));
  }

  @Test
  void restartEndsAllSessionsAndAnotherOneDoesNotProlongWhatTheyPrepared() {
    VolumeId snapshot = prepared(plane.snapshots.prepare(disk, null, SESSION));
    plane = plane.restarted();
    plane.snapshots.forgetPrepared(Set.of());
    plane.clock.advance(KEPT.dividedBy(2));
    plane = plane.restarted();
    assertThat(plane.snapshots.forgetPrepared(Set.of(UUID.randomUUID()))).isZero();
    plane.clock.advance(KEPT.dividedBy(2).plusSeconds(1));

    assertThat(plane.snapshots.forgetPrepared(Set.of())).isEqualTo(1);
    assertThat(plane.volumes.find(snapshot)).isEmpty();
  }

  @Test
  void preparedSnapshotOfADeletedVolumeKeepsNoContainer() {
    prepared(plane.snapshots.prepare(disk, null, SESSION));
    plane.volumes.delete(disk);

    assertThat(plane.snapshots.forgetPrepared(Set.of(SESSION))).isEqualTo(1);

    plane.containers.delete(container.id());
    assertThat(plane.containers.find(container.id())).isEmpty();
  }

  @Test
  void groupIsOneEngineCallAndKeepsItsContent() {
    VolumeId other = plane.volume(container, GIB);
    plane.write(disk, 0, 4096, 1);
    VolumeId first = prepared(plane.snapshots.prepare(disk, null, SESSION));
    VolumeId second = prepared(plane.snapshots.prepare(other, null, SESSION));
    AtomicInteger calls = new AtomicInteger();
    plane.hooks.before("snapshot", calls::incrementAndGet);

    List<SnapshotOutcome> outcomes =
        plane.snapshots.take(
            List.of(new Prepared(first, Map.of("k", "v")), new Prepared(second, Map.of())),
            TIMEOUT);
    plane.write(disk, 0, 4096, 2);

    assertThat(outcomes).containsExactly(new Taken(first), new Taken(second));
    assertThat(calls).hasValue(1);
    assertThat(plane.read(first, 0)).isEqualTo(1);
    assertThat(plane.engine.find(first)).map(VolumeInfo::kind).contains(VolumeKind.SNAPSHOT);
    VirtualVolume row = plane.volumes.require(first);
    assertThat(row.parent()).isEqualTo(disk);
    assertThat(row.metadata()).containsEntry("k", "v").containsEntry("VMW_VVolType", "Data");
    assertThat(plane.volumes.search(Map.of("k", Optional.of("v")))).containsExactly(first);
    assertThat(plane.store.log().begun()).isEmpty();
  }

  @Test
  void badItemsAreRefusedAndTheOthersTaken() {
    VolumeId good = prepared(plane.snapshots.prepare(disk, null, SESSION));
    VolumeId taken = plane.snapshot(disk);
    VolumeId unknown = VolumeId.random();

    List<SnapshotOutcome> outcomes =
        plane.snapshots.take(
            List.of(item(unknown), item(good), item(taken), item(disk), item(good)), TIMEOUT);

    assertThat(outcomes.get(1)).isEqualTo(new Taken(good));
    assertThat(fault(outcomes.get(0))).isEqualTo("NotFound");
    assertThat(fault(outcomes.get(2))).isEqualTo("ResourceInUse");
    assertThat(fault(outcomes.get(3))).isEqualTo("NotFound");
    assertThat(fault(outcomes.get(4))).isEqualTo("InvalidArgument");
  }

  @Test
  void groupThatTimesOutCanBeTakenAgain() {
    VolumeId snapshot = prepared(plane.snapshots.prepare(disk, null, SESSION));
    plane.hooks.before(
        "snapshot",
        () -> {
          throw new StorageException.TimedOut("expected a place in the log in time");
        });

    assertThat(fault(plane.snapshots.take(List.of(item(snapshot)), TIMEOUT).getFirst()))
        .isEqualTo("Timeout");
    assertThat(plane.volumes.require(snapshot).state()).isEqualTo(VvolState.PREPARED);
    plane.hooks.before("snapshot", () -> {});

    assertThat(plane.snapshots.take(List.of(item(snapshot)), TIMEOUT))
        .containsExactly(new Taken(snapshot));
  }

  @Test
  void prepareRefusesUnknownAndSnapshots() {
    VolumeId snapshot = plane.snapshot(disk);

    assertFault("NotFound", () -> plane.snapshots.prepare(VolumeId.random(), null, SESSION));
    assertFault("NotSupported", () -> plane.snapshots.prepare(snapshot, null, SESSION));
  }

  @Test
  void revertGivesContentAndSizeBack() {
    plane.write(disk, 0, 4096, 1);
    VolumeId snapshot = plane.snapshot(disk);
    plane.write(disk, 0, 4096, 2);
    plane.volumes.resize(disk, 2 * GIB);

    plane.reverts.revert(disk, snapshot);

    assertThat(plane.read(disk, 0)).isEqualTo(1);
    assertThat(plane.volumes.require(disk).sizeInBytes()).isEqualTo(GIB);
    assertThat(plane.snapshots.of(disk)).extracting(VirtualVolume::id).containsExactly(snapshot);
  }

  @Test
  void revertRefusesBoundForeignAndUnknown() {
    VolumeId snapshot = plane.snapshot(disk);
    VolumeId other = plane.volume(container, GIB);
    VolumeId foreign = plane.snapshot(other);

    assertFault("IncompatibleVolume", () -> plane.reverts.revert(disk, foreign));
    assertFault("IncompatibleVolume", () -> plane.reverts.revert(disk, other));
    assertFault("NotFound", () -> plane.reverts.revert(disk, VolumeId.random()));
    assertFault("NotFound", () -> plane.reverts.revert(VolumeId.random(), snapshot));
    assertFault("NotSupported", () -> plane.reverts.revert(snapshot, snapshot));
    plane.bindings.bind(HOST, plane.declareHost(), List.of(disk));
    assertFault("ResourceInUse", () -> plane.reverts.revert(disk, snapshot));
    assertThat(plane.store.log().begun()).isEmpty();
  }

  @Test
  void snapshotsOfTheArrayAreListedButNotFoundBySearch() {
    List<VolumeId> taken =
        plane.snapshots.takeNow(
            List.of(disk), VolumeOrigin.SCHEDULE, Map.of("VMW_VVolType", "Data"), () -> {});

    assertThat(plane.snapshots.of(disk)).extracting(VirtualVolume::id).isEqualTo(taken);
    assertThat(plane.volumes.search(Map.of("VMW_VVolType", Optional.of("Data"))))
        .containsExactly(disk);
  }

  private static Prepared item(VolumeId id) {
    return new Prepared(id, Map.of());
  }

  private static String fault(SnapshotOutcome outcome) {
    return ((Refused) outcome).why().fault().name();
  }
}

package io.coppice.vasa.recovery;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.HOST;
import static io.coppice.vasa.testing.ControlPlane.SESSION;
import static io.coppice.vasa.testing.ControlPlane.prepared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeSpec;
import io.coppice.replication.replica.ReplicaAttributes;
import io.coppice.scsi.directory.Binding;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.copy.Clones.NewClone;
import io.coppice.vasa.volume.lifecycle.RecoveryFinding;
import io.coppice.vasa.volume.snapshot.Snapshots;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReconciliationTest {

  private ControlPlane plane;
  private StorageContainer container;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void createCutShortLeavesNothing(boolean afterEffect) {
    plane.hooks.endProcess("create", afterEffect);
    cutShort(() -> plane.volume(container, GIB));

    List<RecoveryFinding> findings = restart();

    assertThat(findings)
        .singleElement()
        .extracting(RecoveryFinding::kind)
        .isEqualTo(RecoveryFinding.Kind.ROLLED_BACK);
    assertThat(plane.engine.list()).isEmpty();
    assertThat(plane.volumes.list()).isEmpty();
    assertThat(taskState()).isInstanceOf(TaskState.Failed.class);
    assertThat(restart()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cloneCutShortLeavesTheSourceAlone(boolean afterEffect) {
    VolumeId source = plane.volume(container, GIB);
    plane.hooks.endProcess("clone", afterEffect);
    cutShort(
        () -> plane.clones.clone(new NewClone(source, null, VolumeOrigin.HOST, null, Map.of())));

    restart();

    assertThat(plane.engine.list()).extracting(VolumeInfo::id).containsExactly(source);
    assertThat(plane.volumes.list()).extracting(VirtualVolume::id).containsExactly(source);
  }

  @Test
  void deleteCutShortBeforeItHappenedKeepsTheVolume() {
    VolumeId id = plane.volume(container, GIB);
    plane.hooks.endProcess("delete", false);
    cutShort(() -> plane.volumes.delete(id));

    restart();

    assertThat(plane.volumes.require(id).state()).isEqualTo(VvolState.READY);
  }

  @Test
  void deleteCutShortAfterItHappenedIsFinished() {
    VolumeId id = plane.volume(container, GIB);
    plane.hooks.endProcess("delete", true);
    cutShort(() -> plane.volumes.delete(id));

    restart();

    assertThat(plane.volumes.list()).isEmpty();
    assertThat(restart()).isEmpty();
  }

  @Test
  void snapshotGroupCutShortBeforeItHappenedIsStillPrepared() {
    VolumeId snapshot =
        prepared(plane.snapshots.prepare(plane.volume(container, GIB), null, SESSION));
    plane.hooks.endProcess("snapshot", false);
    cutShort(() -> take(snapshot));

    restart();

    assertThat(plane.volumes.require(snapshot).state()).isEqualTo(VvolState.PREPARED);
    take(snapshot);
    assertThat(plane.volumes.require(snapshot).state()).isEqualTo(VvolState.READY);
  }

  @Test
  void snapshotGroupCutShortAfterItHappenedIsRemoved() {
    VolumeId disk = plane.volume(container, GIB);
    VolumeId snapshot = prepared(plane.snapshots.prepare(disk, null, SESSION));
    plane.hooks.endProcess("snapshot", true);
    cutShort(() -> take(snapshot));

    restart();

    assertThat(plane.engine.list()).extracting(VolumeInfo::id).containsExactly(disk);
    assertThat(plane.volumes.find(snapshot)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void revertCutShortHasHappenedOrNotAndLosesNoLaterWrites(boolean afterEffect) {
    VolumeId disk = plane.volume(container, GIB);
    plane.write(disk, 0, 4096, 1);
    VolumeId snapshot = plane.snapshot(disk);
    plane.write(disk, 0, 4096, 2);
    plane.hooks.endProcess("revert", afterEffect);
    cutShort(() -> plane.reverts.revert(disk, snapshot));
    plane.write(disk, 4096, 4096, 3);

    restart();

    assertThat(plane.read(disk, 0)).isEqualTo(afterEffect ? 1 : 2);
    assertThat(plane.read(disk, 4096)).isEqualTo(3);
    assertThat(taskState())
        .isInstanceOf(afterEffect ? TaskState.Success.class : TaskState.Failed.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void resizeCutShortIsWhatThePoolSays(boolean afterEffect) {
    VolumeId disk = plane.volume(container, GIB);
    plane.hooks.endProcess("resize", afterEffect);
    cutShort(() -> plane.volumes.resize(disk, 2 * GIB));

    restart();

    assertThat(plane.volumes.require(disk).sizeInBytes()).isEqualTo(afterEffect ? 2 * GIB : GIB);
    assertThat(taskState())
        .isInstanceOf(afterEffect ? TaskState.Success.class : TaskState.Failed.class);
  }

  @Test
  void metadataCutShortIsWhatThePoolSays() {
    VolumeId disk = plane.volume(container, GIB, Map.of("a", "1"));
    plane.hooks.endProcess("setAttributes", true);
    cutShort(() -> plane.volumes.updateMetadata(disk, Map.of("a", "2"), Set.of()));

    restart();

    assertThat(plane.volumes.require(disk).metadata()).containsEntry("a", "2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyOfDifferencesCutShortHasHappenedOrNot(boolean afterEffect) {
    VolumeId disk = plane.volume(container, GIB);
    VolumeId base = plane.snapshot(disk);
    VolumeId destination = plane.volume(container, GIB);
    plane.write(disk, 0, 4096, 5);
    plane.hooks.endProcess("copyDiffs", afterEffect);
    cutShort(() -> plane.clones.copyDiffs(disk, base, destination));

    restart();

    assertThat(plane.read(destination, 0)).isEqualTo(afterEffect ? 5 : 0);
    assertThat(taskState())
        .isInstanceOf(afterEffect ? TaskState.Success.class : TaskState.Failed.class);
  }

  @Test
  void volumeWithoutARowIsAdoptedAndNeverDeleted() {
    VolumeId known = plane.volume(container, GIB, Map.of("a", "1"));
    VolumeId strange = VolumeId.random();
    plane.engine.create(OperationId.random(), VolumeSpec.thin(strange, GIB));
    plane.jdbc.sql("delete from volume").update();
    plane.jdbc.sql("delete from container").update();

    List<RecoveryFinding> findings = restart();

    assertThat(findings).hasSize(2).allMatch(found -> found.kind() == RecoveryFinding.Kind.ADOPTED);
    VirtualVolume adopted = plane.volumes.require(known);
    assertThat(adopted.container()).isEqualTo(container.id());
    assertThat(adopted.metadata()).containsEntry("a", "1");
    assertThat(plane.volumes.require(strange).origin()).isEqualTo(VolumeOrigin.ADOPTED);
    assertThat(plane.engine.list()).hasSize(2);
    assertThat(plane.events.newest(Long.MAX_VALUE, 10))
        .filteredOn(event -> event.messageId().endsWith("VolumeAdopted"))
        .hasSize(2);
    assertThat(restart()).isEmpty();
  }

  @Test
  void snapshotOfACopyTokenIsNobodysVolume() {
    VolumeId id = plane.volume(container, GIB);
    plane = plane.restarted();
    SnapshotSpec token =
        new SnapshotSpec(id, VolumeId.random(), Map.of("scsi.token", id.toString()));
    plane.engine.snapshot(OperationId.random(), List.of(token), Duration.ofSeconds(10));

    assertThat(plane.reconciliation.atStart()).isEmpty();

    assertThat(plane.volumes.list()).extracting(VirtualVolume::id).containsExactly(id);
    assertThat(plane.engine.find(token.id())).isPresent();
    assertThat(restart()).isEmpty();
    assertThat(plane.engine.find(token.id())).as("the device server removed it").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void olderCopyOfTheDatabaseDeletesNothingThatWasAcknowledged(boolean ofSnapshot) {
    VolumeId disk = plane.volume(container, GIB);
    VolumeId id = ofSnapshot ? plane.snapshot(disk) : disk;
    String maker = plane.engine.find(id).orElseThrow().attributes().get("coppice.operation");
    plane.reconciliation.whileRunning();
    assertThat(plane.engine.find(id).orElseThrow().attributes()).doesNotContainValue(maker);

    plane
        .jdbc
        .sql("update volume set state = 'CREATING', operation_id = cast(? as uuid) where id = ?")
        .params(maker, id.value())
        .update();
    plane
        .jdbc
        .sql(
            "insert into operation (id, kind, volume_id, started_at)"
                + " values (cast(? as uuid), ?, ?, now())")
        .params(maker, ofSnapshot ? "SNAPSHOT" : "CREATE", id.value())
        .update();

    assertThat(restart())
        .singleElement()
        .extracting(RecoveryFinding::kind)
        .isEqualTo(RecoveryFinding.Kind.FINISHED);
    assertThat(plane.engine.find(id)).isPresent();
    assertThat(plane.volumes.require(id).state()).isEqualTo(VvolState.READY);
    assertThat(restart()).isEmpty();
  }

  @Test
  void reservationForAPolicyThatNeverCameIsTakenBack() {
    VolumeId id = plane.volume(container, GIB);
    OfferedProfile thick =
        plane.profiles.create(
            new ProfileDraft(
                "thick", "", new Requirements(SpaceEfficiency.THICK, null, null), Set.of()),
            "admin");
    plane.hooks.endProcess("setAttributes", false);
    cutShort(() -> plane.policies.apply(id, thick.asStorageProfile()));
    assertThat(plane.engine.find(id).orElseThrow().reserved()).isTrue();

    restart();

    assertThat(plane.engine.find(id).orElseThrow().reserved()).isFalse();
    assertThat(plane.volumes.require(id).thick()).isFalse();
  }

  @Test
  void rowWithoutAVolumeIsForgottenAndReported() {
    VolumeId id = plane.volume(container, GIB);
    plane.engine.delete(OperationId.random(), id);

    assertThat(restart())
        .singleElement()
        .extracting(RecoveryFinding::kind)
        .isEqualTo(RecoveryFinding.Kind.FORGOTTEN);

    assertThat(plane.volumes.list()).isEmpty();
  }

  @Test
  void bindingsComeFromThePool() {
    VolumeId id = plane.volume(container, GIB);
    plane.bindings.bind(HOST, plane.declareHost(), List.of(id));
    List<Binding> before = plane.bindings.list();

    restart();

    assertThat(plane.bindings.list()).hasSize(1).isEqualTo(before);
  }

  @Test
  void operationThatLostTheDatabaseIsSettledWhileRunning() {
    plane.hooks.after(
        "create", () -> plane.jdbc.sql("alter table task rename to task_away").update());
    assertThat(catchThrowable(() -> plane.volume(container, GIB))).isNotNull();
    assertThat(plane.engine.list()).hasSize(1);
    plane.jdbc.sql("alter table task_away rename to task").update();

    assertThat(plane.reconciliation.whileRunning())
        .singleElement()
        .extracting(RecoveryFinding::kind)
        .isEqualTo(RecoveryFinding.Kind.ROLLED_BACK);

    assertThat(plane.engine.list()).isEmpty();
    assertThat(plane.volumes.list()).isEmpty();
    assertThat(plane.reconciliation.whileRunning()).isEmpty();
  }

  @Test
  void wayOutOfUseThatWasCutShortIsWhatThePoolSays() {
    VolumeId disk = scheduled();
    Map<String, String> carrier = Map.of(ReplicaAttributes.CYCLE, UUID.randomUUID().toString());
    plane.engine.setAttributes(OperationId.random(), disk, carrier, Set.of());

    assertThat(restart()).isEmpty();
    assertThat(plane.volumes.find(disk)).isEmpty();
    assertThat(plane.schedules.count()).isZero();
    assertThat(restart()).isEmpty();

    plane.engine.setAttributes(
        OperationId.random(), disk, Map.of(), Set.of(ReplicaAttributes.CYCLE));

    assertThat(restart()).isEmpty();
    assertThat(plane.volumes.require(disk).state()).isEqualTo(VvolState.READY);
    assertThat(plane.schedules.require(disk).enabled()).isFalse();
  }

  @Test
  void carrierThatIsGoneLeavesNoRow() {
    VolumeId disk = scheduled();
    Map<String, String> carrier = Map.of(ReplicaAttributes.CYCLE, UUID.randomUUID().toString());
    plane.engine.setAttributes(OperationId.random(), disk, carrier, Set.of());
    plane.recovery.agreeOn(disk);
    plane.engine.delete(OperationId.random(), disk);

    assertThat(restart()).isEmpty();
    assertThat(plane.store.bin().allInEveryState()).isEmpty();
  }

  /// A volume with a schedule that is switched off.
  private VolumeId scheduled() {
    OfferedProfile hourly =
        plane.profiles.create(
            new ProfileDraft(
                "hourly", "", new Requirements(null, Duration.ofHours(1), null), Set.of()),
            "admin");
    VolumeId disk = plane.volume(container, GIB);
    plane.policies.apply(disk, hourly.asStorageProfile());
    plane.schedules.enable(disk, false, true);
    return disk;
  }

  private List<RecoveryFinding> restart() {
    plane = plane.restarted();
    return plane.reconciliation.atStart();
  }

  private void take(VolumeId snapshot) {
    plane.snapshots.take(
        List.of(new Snapshots.Prepared(snapshot, Map.of())), Duration.ofSeconds(10));
  }

  private TaskState taskState() {
    return plane.tasks.latest(1).getFirst().state();
  }

  /// Later than what came before, so that its task is the latest.
  private void cutShort(ThrowingCallable call) {
    plane.clock.advance(Duration.ofSeconds(1));
    assertThat(catchThrowable(call)).isInstanceOf(ProcessEnded.class);
  }
}

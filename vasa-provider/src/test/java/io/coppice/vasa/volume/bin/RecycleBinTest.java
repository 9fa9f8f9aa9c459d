package io.coppice.vasa.volume.bin;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.MIB;
import static io.coppice.vasa.testing.ControlPlane.made;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import io.coppice.vasa.testing.TestClock;
import io.coppice.vasa.volume.BinChoice;
import io.coppice.vasa.volume.BinnedVolume;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.store.PoolAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The recycle bin of the control plane: into it, out of it, and its end.
class RecycleBinTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private static ControlPlane shared;
  private static int tests;

  private ControlPlane plane;
  private StorageContainer container;
  private VolumeId disk;

  @BeforeAll
  static void start() {
    TestClock clock = new TestClock();
    shared = ControlPlane.withBin(new MemoryEngine(1L << 40, clock), clock, ControlPlane.BIN);
  }

  @AfterAll
  static void stop() {
    shared.target.close();
  }

  /// A container and a disk for each test, and nothing else in the pool.
  @BeforeEach
  void open() {
    plane = shared;
    container = plane.container("of test " + ++tests);
    disk =
        plane.volume(
            container, GIB, Map.of("VMW_VVolName", "disk", "VMW_VmID", "vm-1", "note", "n"));
    plane.write(disk, 0, (int) MIB, 7);
  }

  @AfterEach
  void empty() {
    if (plane.engine.equals(shared.engine)) {
      shared = plane; // it may have been restarted
    } else {
      plane.target.close();
    }
    shared.luns.unbindFromAllHosts(OperationId.random(), disk);
    shared.volumes.list().forEach(one -> shared.volumes.deleteForGood(one.id()));
    shared
        .bin
        .page(BinChoice.ALL, RowOrder.by("deleted"), 100)
        .forEach(one -> shared.bin.purge(one.id()));
    assertThat(shared.engine.list()).isEmpty();
  }

  private void restart() {
    plane.target.close();
    plane = plane.restarted();
    assertThat(plane.reconciliation.atStart()).isEmpty();
  }

  private List<VolumeId> inBin() {
    return plane.bin.page(BinChoice.ALL, RowOrder.by("deleted"), 100).stream()
        .map(BinnedVolume::id)
        .toList();
  }

  @Test
  void whatIsDeletedComesBackAsItWasAlsoAfterARestart() {
    VolumeId snapshot = plane.snapshot(disk);
    VirtualVolume before = plane.volumes.require(disk);
    VirtualVolume taken = plane.volumes.require(snapshot);

    plane.volumes.delete(disk);
    plane.volumes.delete(snapshot);
    restart();

    assertThat(inBin()).containsExactlyInAnyOrder(disk, snapshot);
    assertThat(plane.bin.restore(disk, null)).isEqualTo(before);
    assertThat(plane.bin.restore(snapshot, null)).isEqualTo(taken);
    assertThat(plane.read(disk, 0)).isEqualTo(7);
    assertThat(plane.snapshots.of(disk)).containsExactly(taken);
    assertThat(inBin()).isEmpty();
    restart();
    assertThat(plane.volumes.require(disk)).isEqualTo(before);
  }

  @Test
  void nobodySeesWhatIsInTheBin() {
    VolumeId snapshot = plane.snapshot(disk);
    VolumeId prepared =
        ControlPlane.prepared(plane.snapshots.prepare(disk, null, ControlPlane.SESSION));

    plane.volumes.delete(snapshot);
    plane.volumes.delete(disk);

    assertThat(plane.volumes.find(disk)).isEmpty();
    assertThat(plane.volumes.find(List.of(disk, snapshot))).isEmpty();
    assertThat(plane.volumes.ids()).isEmpty();
    assertThat(plane.volumes.count()).isZero();
    assertThat(plane.volumes.list()).extracting(VirtualVolume::id).containsExactly(prepared);
    assertThat(plane.volumes.seen(Set.of(disk))).containsExactly(disk); // without a bound token
    assertThat(plane.volumes.search(Map.of("VMW_VmID", Optional.of("vm-1")))).isEmpty();
    assertThat(plane.volumes.machines(null, RowOrder.by("id"), 10)).isEmpty();
    assertThat(plane.volumes.machines(null, RowOrder.by("name"), 10)).isEmpty();
    assertThat(plane.volumes.countMachines(null)).isZero();
    assertThat(plane.volumes.ofMachines(List.of("vm-1"))).isEmpty();
    assertThat(plane.volumes.countSnapshots(SnapshotChoice.ALL)).isZero();
    assertThat(
            plane.volumes.page(
                new VolumeChoice(null, null, null, null, null, List.of(), false, null), 10))
        .isEmpty();
    assertThat(plane.snapshots.of(disk)).extracting(VirtualVolume::id).containsExactly(prepared);
    assertThat(plane.spaces.measured()).isEmpty();
    assertThat(plane.spaces.ofContainer(container.id()).provisioned()).isZero();
    assertThat(plane.spaces.ofContainer(container.id()).used()).isZero();
    assertFault("NotFound", () -> plane.volumes.delete(disk));
    assertFault("NotFound", () -> plane.volumes.deleteForGood(disk));
    assertFault("NotFound", () -> plane.volumes.updateMetadata(disk, Map.of("a", "b"), Set.of()));
    assertFault("NotFound", () -> plane.snapshots.prepare(disk, null, ControlPlane.SESSION));
    assertFault("NotFound", () -> plane.reverts.revert(disk, snapshot));
    assertThat(plane.snapshots.forgetPrepared(Set.of(ControlPlane.SESSION))).isOne();
  }

  @Test
  void theBinTellsWhatWhoAndUntilWhen() {
    VolumeId snapshot = plane.snapshot(disk);
    plane.volumes.delete(snapshot);
    plane.clock.advance(HOUR);
    Actor.rest("ann", "t").run(() -> plane.volumes.delete(disk));

    BinnedVolume one = plane.bin.require(disk);

    assertThat(one.volume().state()).isEqualTo(VvolState.BINNED);
    assertThat(one.binning().author()).isEqualTo("ann");
    assertThat(one.binning().since()).isEqualTo(plane.store.seen());
    assertThat(one.binning().until()).isEqualTo(plane.store.seen().plus(ControlPlane.KEPT));
    assertThat(inBin()).containsExactly(snapshot, disk);
    assertThat(count(new BinChoice(null, "vm-1", null, null))).isEqualTo(2);
    assertThat(count(new BinChoice(null, "vm-2", null, null))).isZero();
    assertThat(count(new BinChoice(null, null, "disk", null))).isOne();
    assertThat(count(new BinChoice(null, null, null, BinChoice.Kind.SNAPSHOT))).isOne();
    assertThat(count(new BinChoice(null, null, null, BinChoice.Kind.VVOL))).isOne();
    assertThat(count(new BinChoice(plane.container("c2").id(), null, null, null))).isZero();
  }

  private int count(BinChoice choice) {
    int counted = plane.bin.count(choice);
    assertThat(plane.bin.page(choice, RowOrder.by("name"), 100)).hasSize(counted);
    return counted;
  }

  @Test
  void itsTimeIsJudgedByWhatHasPassed() {
    plane.volumes.delete(disk);

    plane.clock.jump(Duration.ofDays(300));
    assertThat(plane.binRounds.purgeDue()).isZero();
    plane.clock.advance(ControlPlane.KEPT.minusSeconds(1));
    assertThat(plane.binRounds.purgeDue()).isZero();
    plane.clock.advance(Duration.ofSeconds(1));
    assertThat(plane.binRounds.purgeDue()).isOne();

    assertThat(inBin()).isEmpty();
    assertThat(plane.engine.find(disk)).isEmpty();
    assertFault("NotFound", () -> plane.bin.restore(disk, null));
    restart();
  }

  @Test
  void swapAndWhatIsSwitchedOffGoAtOnce() {
    VolumeId swap =
        made(
            plane.volumes.create(
                new NewVolume(
                    container.id(), VolumeType.SWAP, VolumeOrigin.HOST, null, GIB, Map.of())));
    StorageContainer without = plane.container("without");
    plane.containers.setBinTime(without.id(), Duration.ZERO);
    VolumeId other = plane.volume(without, GIB);

    plane.volumes.delete(swap);
    plane.volumes.delete(other);
    plane.volumes.deleteForGood(disk);

    assertThat(plane.engine.list()).isEmpty();
    assertThat(inBin()).isEmpty();
  }

  @Test
  void aContainersTimeOutlivesTheDatabase() {
    plane.containers.setBinTime(container.id(), HOUR);
    plane.volumes.delete(disk);
    plane.target.close();

    plane = plane.withoutItsDatabase();
    plane.reconciliation.atStart();

    assertThat(plane.containers.require(container.id()).binTime()).isEqualTo(HOUR);
    assertThat(inBin()).containsExactly(disk);
    assertThat(plane.volumes.ids()).isEmpty();
    assertThat(plane.bin.require(disk).binning().until()).isEqualTo(plane.store.seen().plus(HOUR));
    assertThat(plane.bin.restore(disk, null).metadata()).containsEntry("note", "n");
  }

  @Test
  void whatIsInUseIsRefusedAsBefore() {
    Set<String> endpoints = plane.declareHost();
    plane.bindings.bind(ControlPlane.HOST, endpoints, List.of(disk));

    assertFault("ResourceInUse", () -> plane.volumes.delete(disk));

    assertThat(plane.volumes.ids()).containsExactly(disk);
  }

  @Test
  void aRestoredVolumeTakesItsScheduleUpAgain() {
    StorageProfile hourly =
        plane
            .profiles
            .create(
                new ProfileDraft(
                    "hourly " + tests,
                    "",
                    new Requirements(null, HOUR, HOUR.multipliedBy(3)),
                    Set.of()),
                "admin")
            .asStorageProfile();
    plane.policies.apply(disk, hourly);
    plane.schedules.enable(disk, true, false);
    plane.clock.advance(HOUR);
    plane.schedules.takeDue();

    plane.volumes.delete(disk);
    plane.clock.advance(HOUR);
    assertThat(plane.schedules.count()).isZero();
    assertThat(plane.schedules.takeDue()).isZero();
    plane.bin.restore(disk, null);

    assertThat(plane.schedules.require(disk).retentionEnabled()).isFalse();
    assertThat(plane.schedules.require(disk).interval()).isEqualTo(HOUR);
    plane.clock.advance(HOUR);
    assertThat(plane.schedules.takeDue()).isOne();
  }

  @Test
  void aScheduledSnapshotGoesAtOnceWhenItsTimeIsOver() {
    StorageProfile hourly =
        plane
            .profiles
            .create(
                new ProfileDraft(
                    "hourly " + tests, "", new Requirements(null, HOUR, HOUR), Set.of()),
                "admin")
            .asStorageProfile();
    plane.policies.apply(disk, hourly);
    plane.clock.advance(HOUR);
    assertThat(plane.schedules.takeDue()).isOne();
    plane.clock.advance(HOUR);

    assertThat(plane.schedules.deleteExpired()).isOne();

    assertThat(inBin()).isEmpty();
    assertThat(plane.engine.list()).hasSize(1);
  }

  @Test
  void whateverStepIsTheLastOneItIsInTheBinOrNot() {
    List<String> lastOnes = new ArrayList<>();
    eachStep(lastOnes, () -> plane.volumes.delete(disk), this::isWhole);
    assertThat(lastOnes)
        .containsExactly("BIN BEGINNING", "BIN INTENDED", "BIN CARRIED_OUT", "BIN CONCLUDED");
    assertThat(inBin()).containsExactly(disk);

    lastOnes.clear();
    eachStep(lastOnes, () -> plane.bin.restore(disk, "again"), this::isWhole);
    assertThat(lastOnes)
        .containsExactly(
            "RESTORE BEGINNING", "RESTORE INTENDED", "RESTORE CARRIED_OUT", "RESTORE CONCLUDED");
    assertThat(plane.volumes.require(disk).metadata()).containsEntry("VMW_VVolName", "again");
  }

  /// Cuts a change short at each of its steps in turn, until it runs to its end. If it has happened
  /// by then, it is undone for the next turn.
  private void eachStep(List<String> lastOnes, Runnable change, Runnable check) {
    boolean binned = !inBin().isEmpty();
    boolean cut = true;
    for (int step = 1; cut; step++) {
      plane.steps.taken();
      plane.steps.at(step);
      cut = cutShort(change);
      plane.steps.at(0);
      if (cut) {
        lastOnes.add(plane.steps.taken().getLast());
        plane.target.close();
        plane = plane.restarted();
        plane.reconciliation.atStart();
        assertThat(plane.reconciliation.atStart()).isEmpty();
        check.run();
        if (!inBin().isEmpty() && !binned) {
          plane.bin.restore(disk, null);
        } else if (inBin().isEmpty() && binned) {
          plane.volumes.delete(disk);
        }
      }
    }
  }

  private static boolean cutShort(Runnable change) {
    try {
      change.run();
      return false;
    } catch (ProcessEnded e) {
      return true;
    }
  }

  private void isWhole() {
    assertThat(plane.read(disk, 0)).isEqualTo(7);
    boolean binned = PoolAttributes.isBinned(plane.engine.find(disk).orElseThrow());
    assertThat(inBin()).isEqualTo(binned ? List.of(disk) : List.of());
    assertThat(plane.volumes.ids()).isEqualTo(binned ? List.of() : List.of(disk));
    assertThat(plane.jdbc.sql("select count(*) from operation").query(Long.class).single())
        .isZero();
  }

  @Test
  void aPurgeThatIsCutShortIsRepeatedOrFinished() {
    for (String step : List.of("DELETE INTENDED", "DELETE CARRIED_OUT")) {
      VolumeId volume = plane.volume(container, GIB);
      plane.volumes.delete(volume);
      plane.steps.when(
          step,
          () -> {
            throw new ProcessEnded();
          });
      assertThat(cutShort(() -> plane.bin.purge(volume))).isTrue();
      plane.target.close();
      plane = plane.restarted();
      plane.reconciliation.atStart();

      boolean gone = plane.engine.find(volume).isEmpty();
      assertThat(plane.bin.find(volume).isEmpty()).isEqualTo(gone);
      assertThat(gone).isEqualTo(step.endsWith("CARRIED_OUT"));
    }
  }

  @Test
  void aRowOfAnOlderCopyOfTheDatabasePurgesNothing() {
    plane.volumes.delete(disk);
    plane.jdbc.sql("update volume set purge_at = purge_at - interval '9 days'").update();

    assertThat(plane.binRounds.purgeDue()).isZero();

    assertThat(plane.bin.require(disk).binning().until())
        .isEqualTo(plane.store.seen().plus(ControlPlane.KEPT));
    assertThat(plane.engine.find(disk)).isPresent();
  }

  @Test
  void theBinCountsAsFreeForItsContainerAndThePool() {
    plane.write(disk, 0, (int) (64 * MIB), 1);
    long used = plane.spaces.ofContainer(container.id()).used();
    long free = plane.spaces.ofContainer(container.id()).physicalFree();
    assertThat(used).isGreaterThanOrEqualTo(64 * MIB);

    plane.volumes.delete(disk);

    var content = plane.spaces.ofContainers(List.of(container)).get(container.id());
    assertThat(content.space().used()).isZero();
    assertThat(content.volumes()).isZero();
    assertThat(content.machines()).isZero();
    assertThat(content.reclaimable()).isEqualTo(64 * MIB);
    assertThat(content.space().physicalFree()).isEqualTo(free + 64 * MIB);
    assertThat(plane.spaces.pool().reclaimable()).isEqualTo(64 * MIB);
    plane.bin.restore(disk, null);
    assertThat(plane.spaces.ofContainer(container.id()).used()).isEqualTo(used);
    assertThat(plane.spaces.pool().reclaimable()).isZero();
  }

  @Test
  void whatDoesNotFitItsContainerAnyMoreStaysInTheBin() {
    StorageContainer small = plane.containers.create("small", 64 * MIB);
    VolumeId first = plane.volume(small, 64 * MIB);
    plane.write(first, 0, (int) (40 * MIB), 1);
    plane.volumes.delete(first);
    VolumeId second = plane.volume(small, 64 * MIB);
    plane.write(second, 0, (int) (40 * MIB), 2);

    assertFault("OutOfResource", () -> plane.bin.restore(first, null));
    assertThat(inBin()).containsExactly(first);

    plane.containers.update(small.id(), "small", 128 * MIB);
    assertThat(plane.bin.restore(first, null).id()).isEqualTo(first);
  }

  /// Rows alone, of which the pool does not know, because 300 volumes take seconds.
  @Test
  void manyDeletionsArePurgedInParts() {
    plane
        .jdbc
        .sql(
            """
            insert into volume (id, container_id, type, state, origin, snapshot, size_bytes, thick,
                                created_at, binned_at, purge_at, binned_why, binned_by)
            select gen_random_uuid(), :container, 'DATA', 'BINNED', 'HOST', false, 1048576, false,
                   now(), now(), '2020-01-01', 'DELETED', 'nobody'
              from generate_series(1, 299)
            """)
        .param("container", container.id())
        .update();
    VolumeId real = plane.volume(container, MIB);
    plane.volumes.delete(real);
    plane.clock.advance(ControlPlane.KEPT);

    assertThat(plane.binRounds.purgeDue()).isEqualTo(250);
    assertThat(plane.engine.find(real)).as("it is due last").isPresent();
    assertThat(plane.binRounds.purgeDue()).isEqualTo(50);
    assertThat(plane.engine.find(real)).isEmpty();
    assertThat(plane.volumes.ids()).containsExactly(disk);
  }
}

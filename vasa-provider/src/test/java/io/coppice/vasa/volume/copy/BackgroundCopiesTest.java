package io.coppice.vasa.volume.copy;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.HOST;
import static io.coppice.vasa.testing.ControlPlane.SESSION;
import static io.coppice.vasa.testing.ControlPlane.made;
import static io.coppice.vasa.testing.ControlPlane.prepared;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.binding.BindOutcome;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.snapshot.SnapshotOutcome;
import io.coppice.vasa.volume.snapshot.Snapshots;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.DataAccessException;

/// Copies of differences that are larger than a call copies: 2 MiB in each of two GiB.
@Timeout(60)
class BackgroundCopiesTest {

  private static final int MIB = 1 << 20;

  private ControlPlane plane;
  private StorageContainer container;
  private VolumeId base;
  private VolumeId disk;
  private VolumeId destination;

  /// Reached when the first GiB is copied.
  private final CountDownLatch halfway = new CountDownLatch(1);

  private final CountDownLatch goOn = new CountDownLatch(1);

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
    disk = plane.volume(container, 2 * GIB);
    plane.write(disk, 0, MIB, 1);
    base = plane.snapshot(disk);
    destination =
        made(
            plane.clones.clone(new Clones.NewClone(base, null, VolumeOrigin.HOST, null, Map.of())));
    plane.write(disk, 0, 2 * MIB, 2);
    plane.write(disk, GIB + 4096, 2 * MIB, 3);
  }

  @AfterEach
  void end() {
    goOn.countDown();
    plane.copies.close();
  }

  @Test
  void taskTellsHowFarItIsAndSucceeds() throws Exception {
    VasaTask task = copyHalfway();

    assertThat(task.state()).isInstanceOf(TaskState.Running.class);
    assertThat(plane.tasks.unfinished()).extracting(VasaTask::id).containsExactly(task.id());
    plane.clock.advance(Duration.ofSeconds(10));
    assertThat(plane.tasks.progressOf(task.id()).orElseThrow().percent()).isEqualTo(50);
    assertThat(plane.tasks.estimatedEnd(task.id()))
        .contains(plane.clock.instant().plus(Duration.ofSeconds(10)));
    goOn.countDown();

    assertThat(ended(task)).isInstanceOf(TaskState.Success.class);
    assertThat(plane.read(destination, 2L * MIB - 1)).isEqualTo(2);
    assertThat(plane.read(destination, GIB + 4096)).isEqualTo(3);
    assertThat(plane.read(destination, GIB)).isZero();
    assertThat(plane.tasks.progressOf(task.id())).isEmpty();
    plane.volumes.delete(destination);
  }

  @Test
  void cancelledTaskStopsWhereItIs() throws Exception {
    VasaTask task = copyHalfway();

    plane.tasks.cancel(task.id());
    goOn.countDown();

    assertThat(ended(task)).isInstanceOf(TaskState.Cancelled.class);
    assertThat(plane.read(destination, 0)).isEqualTo(2);
    assertThat(plane.read(destination, GIB + 4096)).isZero();
    assertFault("NotCancellable", () -> plane.tasks.cancel(task.id()));
    assertThat(plane.tasks.unfinished()).isEmpty();
    plane.clones.copyDiffs(disk, base, destination);
  }

  @Test
  void volumesOfARunningCopyAreKept() throws Exception {
    VasaTask task = copyHalfway();

    for (VolumeId id : List.of(disk, base, destination)) {
      assertFault("ResourceInUse", () -> plane.volumes.delete(id));
    }
    assertFault("ResourceInUse", () -> plane.reverts.revert(disk, base));
    assertFault("ResourceInUse", () -> plane.snapshots.prepare(destination, null, SESSION));
    assertFault(
        "ResourceInUse",
        () ->
            plane.clones.clone(
                new Clones.NewClone(destination, null, VolumeOrigin.HOST, null, Map.of())));
    Set<String> visible = plane.declareHost();
    assertThat(plane.bindings.bind(HOST, visible, List.of(destination)).getFirst())
        .isInstanceOfSatisfying(
            BindOutcome.Refused.class,
            refused -> assertThat(refused.why().fault().name()).isEqualTo("ResourceInUse"));
    assertThat(plane.bindings.bind(HOST, visible, List.of(disk)).getFirst())
        .isInstanceOf(BindOutcome.Bound.class);
    assertThat(plane.reconciliation.atStart()).as("what still runs is left alone").isEmpty();
    goOn.countDown();

    assertThat(ended(task)).isInstanceOf(TaskState.Success.class);
  }

  @Test
  void destinationOfARunningCopyIsSnapshottedInNoWay() throws Exception {
    VolumeId early = prepared(plane.snapshots.prepare(destination, null, SESSION));
    Duration hour = Duration.ofHours(1);
    OfferedProfile hourly =
        plane.profiles.create(
            new ProfileDraft("hourly", "", new Requirements(null, hour, null), Set.of()), "admin");
    for (VolumeId id : List.of(disk, destination)) {
      plane.volumes.updateMetadata(id, Map.of("VMW_VmID", "vm-1"), Set.of());
      plane.policies.apply(id, hourly.asStorageProfile());
    }
    VasaTask task = copyHalfway();

    assertThat(take(early))
        .isInstanceOfSatisfying(
            SnapshotOutcome.Refused.class,
            refused -> assertThat(refused.why().fault().name()).isEqualTo("ResourceInUse"));
    assertFault(
        "ResourceInUse",
        () ->
            plane.snapshots.takeNow(
                List.of(disk, destination), VolumeOrigin.ADMIN, Map.of(), () -> {}));
    assertFault(
        "ResourceInUse", () -> plane.snapshots.takeGroup(List.of(disk, destination), Map.of()));
    assertFault("ResourceInUse", () -> plane.clones.copyDiffs(destination, base, disk));
    assertFault("ResourceInUse", () -> plane.reverts.revert(destination, base));
    plane.volumes.resize(destination, 3 * GIB);
    plane.clock.advance(hour);
    assertThat(plane.schedules.takeDue()).as("the other disk of the machine").isEqualTo(1);
    assertThat(plane.schedules.require(destination).lastError())
        .contains("skipped", "copy of differences");
    assertThat(plane.schedules.require(destination).next()).isAfter(plane.clock.instant());
    goOn.countDown();

    assertThat(ended(task)).isInstanceOf(TaskState.Success.class);
    assertThat(take(early)).isEqualTo(new SnapshotOutcome.Taken(early));
    plane.clock.advance(hour);
    assertThat(plane.schedules.takeDue()).isEqualTo(2);
    assertThat(plane.schedules.require(destination).lastError()).isNull();
  }

  private SnapshotOutcome take(VolumeId prepared) {
    return plane
        .snapshots
        .take(List.of(new Snapshots.Prepared(prepared, Map.of())), Duration.ofSeconds(10))
        .getFirst();
  }

  @Test
  void copyThatAStopCutShortEndsInAnErrorAtTheNextStart() throws Exception {
    VasaTask task = copyHalfway();
    Thread closing = Thread.ofVirtual().start(plane.copies::close);
    while (closing.getState() == Thread.State.NEW || closing.getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
    goOn.countDown();
    closing.join();

    ControlPlane again = plane.restarted();
    assertThat(again.reconciliation.atStart()).hasSize(1);

    assertThat(again.tasks.require(task.id()).state()).isInstanceOf(TaskState.Failed.class);
    VasaTask repeated = again.clones.copyDiffs(disk, base, destination);
    again.copies.close();
    assertThat(again.tasks.require(repeated.id()).volume()).isEqualTo(destination);
  }

  @Test
  void copyThatIsDoneIsDoneThoughItsTaskWasNotTold() throws Exception {
    VasaTask task = copyHalfway();
    plane.hooks.after(
        "setAttributes",
        () -> {
          throw new io.coppice.vasa.testing.HookedEngine.ProcessEnded();
        });
    goOn.countDown();
    plane.copies.close();

    ControlPlane again = plane.restarted();
    again.reconciliation.atStart();

    assertThat(again.tasks.require(task.id()).state().ended()).isTrue();
  }

  @Test
  void refusalOfThePoolEndsTheTaskInThatError() throws Exception {
    VasaTask task = copyHalfway();
    plane.hooks.before(
        "setAttributes",
        () -> {
          throw new StorageException.OutOfSpace("no room for the record");
        });
    goOn.countDown();

    assertThat(ended(task))
        .isInstanceOfSatisfying(
            TaskState.Failed.class,
            failed -> assertThat(failed.fault().name()).isEqualTo("OutOfResource"));
    assertThat(plane.store.log().begun()).isEmpty();
  }

  @Test
  void copyThatFailsOtherwiseEndsInAnErrorInTheNextRound() throws Exception {
    VasaTask task = copyHalfway();
    plane.hooks.before(
        "setAttributes",
        () -> {
          throw new IllegalStateException("a defect");
        });
    goOn.countDown();
    assertThat(ended(task)).isInstanceOf(TaskState.Running.class);
    plane.hooks.before("setAttributes", () -> {});

    assertThat(plane.reconciliation.whileRunning()).hasSize(1);

    assertThat(ended(task)).isInstanceOf(TaskState.Failed.class);
    assertThat(plane.store.log().begun()).isEmpty();
  }

  @Test
  void copyThatCannotBeAnsweredForIsGivenUpInTheNextRound() {
    plane.steps.when(
        "COPY_DIFFS INTENDED", () -> plane.jdbc.sql("alter table task rename to lost").update());
    assertThatThrownBy(() -> plane.clones.copyDiffs(disk, base, destination))
        .isInstanceOf(DataAccessException.class);
    plane.jdbc.sql("alter table lost rename to task").update();

    assertThat(plane.reconciliation.whileRunning()).hasSize(1);

    assertThat(plane.tasks.unfinished()).isEmpty();
    assertThat(plane.read(destination, 0)).isEqualTo(1);
  }

  @Test
  void destinationThatIsTooSmallIsRefusedBeforeAnythingIsCopied() {
    VolumeId small = plane.volume(container, GIB);

    assertFault("InvalidArgument", () -> plane.clones.copyDiffs(disk, base, small));

    assertThat(plane.read(small, 0)).isZero();
    assertThat(plane.tasks.unfinished()).isEmpty();
  }

  /// Begins a copy and lets it stand when it asks for the differences of the second GiB: the first
  /// two questions are those of the call.
  private VasaTask copyHalfway() throws InterruptedException {
    AtomicInteger questions = new AtomicInteger();
    plane.hooks.before(
        "unshared",
        () -> {
          if (questions.incrementAndGet() == 4) {
            halfway.countDown();
            await(goOn);
          }
        });
    VasaTask task = plane.clones.copyDiffs(disk, base, destination);
    halfway.await();
    return task;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// The task's state after its end.
  private TaskState ended(VasaTask task) {
    while (plane.tasks.progressOf(task.id()).isPresent()) {
      Thread.onSpinWait();
    }
    return plane.tasks.require(task.id()).state();
  }
}

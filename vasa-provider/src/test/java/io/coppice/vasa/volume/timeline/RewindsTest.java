package io.coppice.vasa.volume.timeline;

import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import io.coppice.vasa.testing.TestJournals;
import io.coppice.vasa.testing.TimedMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// Reverts to moments, in a real pool: of one volume and of a machine, their undoing, refusals, and
/// the end of the process at each step.
class RewindsTest {

  @AutoClose private final TimedMachine machine = new TimedMachine();

  private static TaskResult.Reverted result(VasaTask task) {
    if (task.state() instanceof TaskState.Success(var _, TaskResult.Reverted reverted)) {
      return reverted;
    }
    throw new AssertionError("expected a task that has reverted, got " + task);
  }

  private TaskResult.Reverted revert(List<VolumeId> volumes, Instant moment) {
    return result(machine.plane.rewinds.revert(volumes, moment));
  }

  private TaskResult.Reverted revert(Instant moment) {
    return revert(machine.disks, moment);
  }

  private List<String> sentences() {
    return machine
        .plane
        .jdbc
        .sql("select message_id from change_event order by id")
        .query(String.class)
        .list();
  }

  @Test
  void aVolumeGoesBackAndForth() {
    List<VolumeId> disk = List.of(machine.disks.getFirst());
    machine.write(0, 1);
    Instant first = machine.cut();
    machine.write(0, 2);
    Instant second = machine.cut();
    machine.write(0, 3);

    TaskResult.Reverted back = revert(disk, second.minusMillis(1));
    assertThat(back.point()).isEqualTo(first);
    assertThat(machine.content(disk)).containsExactly(1);
    TaskResult.Reverted undone = revert(disk, back.undo());
    assertThat(undone.point()).isEqualTo(back.undo());
    assertThat(machine.content(disk)).containsExactly(3);
    revert(disk, undone.undo());
    assertThat(machine.content(disk)).as("the undoing is undone").containsExactly(1);
    revert(disk, second);
    assertThat(machine.content(disk)).containsExactly(2);

    assertThat(sentences()).contains("io.coppice.change.VolumeRevertedToMoment");
    assertThat(machine.plane.store.log().begun()).isEmpty();
    assertThat(machine.plane.reconciliation.atStart()).isEmpty();
  }

  /// What a machine holds then is what its disks held together, whichever of them had changed.
  @Test
  void aMachineGoesBackToWhatAllOfItsDisksHeldAtOneMoment() {
    Random random = new Random(5);
    for (int round = 0; round < 12; round++) {
      for (int disk = 0; disk < 3; disk++) {
        if (random.nextInt(3) == 0) {
          machine.write(disk, 1 + random.nextInt(100));
        }
      }
      machine.cut();
    }
    machine.plane.clock.advance(Duration.ofSeconds(1));
    for (int round = 0; round < 8; round++) {
      int changed = random.nextInt(3);
      machine.plane.write(machine.disks.get(changed), 0, 64 << 10, 101 + round);
      List<Integer> present = machine.content();
      List<Instant> moments = List.copyOf(machine.held.keySet());
      Instant moment = moments.get(random.nextInt(moments.size())).plusMillis(700);

      TaskResult.Reverted back = revert(moment);

      assertThat(machine.content()).isEqualTo(machine.held.floorEntry(moment).getValue());
      assertThat(back.point()).isBeforeOrEqualTo(moment);
      List<Integer> then = machine.content();
      TaskResult.Reverted undone = revert(back.undo());
      assertThat(machine.content()).as("the undo of round " + round).isEqualTo(present);
      if (round % 2 == 0) {
        revert(undone.undo());
        assertThat(machine.content()).as("the undo of the undo").isEqualTo(then);
      }
      machine.plane.clock.advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void aClockThatWasSetBackMisleadsNoUndo() {
    machine.write(0, 1);
    machine.write(1, 1);
    Instant moment = machine.cut();
    machine.write(0, 2);
    machine.write(2, 2);
    machine.plane.clock.jump(Duration.ofMinutes(-10));
    machine.plane.engine.journals().end(OperationId.random(), machine.disks.get(1));
    TestJournals.keep(machine.plane, machine.disks.get(1));
    Instant all = machine.cut();
    assertThat(all).isEqualTo(moment.plusMillis(1));
    machine.write(1, 3);
    List<Integer> present = machine.content();

    TaskResult.Reverted back = revert(all);
    revert(back.undo());

    assertThat(machine.content()).isEqualTo(present);
  }

  @Test
  void ifOneDiskIsBoundNothingChanges() {
    Instant moment = changed();
    List<Integer> present = machine.content();
    List<List<Instant>> points = points();
    bind(2);

    assertFault("ResourceInUse", () -> machine.plane.rewinds.revert(machine.disks, moment));

    assertThat(machine.content()).isEqualTo(present);
    assertThat(points()).isEqualTo(points);
    assertThat(machine.plane.store.log().begun()).isEmpty();
    revert(machine.disks.subList(0, 2), moment);
    assertThat(machine.content()).containsExactly(1, 1, 6);
  }

  private List<List<Instant>> points() {
    return List.of(machine.points(0), machine.points(1), machine.points(2));
  }

  /// All disks hold 1 at the moment, and 4, 5 and 6 now.
  private Instant changed() {
    for (int disk = 0; disk < 3; disk++) {
      machine.write(disk, 1);
    }
    Instant moment = machine.cut();
    for (int disk = 0; disk < 3; disk++) {
      machine.write(disk, 4 + disk);
    }
    return moment;
  }

  private void bind(int disk) {
    ControlPlane plane = machine.plane;
    plane.endpoints.add();
    Set<String> visible = plane.declareHost();
    plane.bindings.bind(ControlPlane.HOST, visible, List.of(machine.disks.get(disk)));
    assertThat(plane.bindings.of(machine.disks.get(disk))).hasSize(1);
  }

  @Test
  void refusalsSayWhatWasExpected() {
    Instant moment = changed();
    VolumeId disk = machine.disks.getFirst();
    VolumeId snapshot = machine.plane.snapshot(disk);
    VolumeId without =
        machine.plane.volume(machine.container, TimedMachine.SIZE, Map.of("VMW_VmID", "vm-2"));
    Instant oldest = machine.points(0).getFirst();

    assertThatThrownBy(() -> revert(List.of(disk, without), moment))
        .hasMessage(
            "volume %s has no timeline: no protection policy with continuous points protects it"
                .formatted(without));
    assertThatThrownBy(() -> revert(List.of(disk), oldest.minusMillis(1)))
        .hasMessageContaining("expected a moment from " + oldest);
    assertThatThrownBy(() -> revert(List.of(disk), moment.plusSeconds(60)))
        .hasMessageContaining("expected a moment that is over");
    assertFault("NotSupported", () -> revert(List.of(without), moment));
    assertFault("NotFound", () -> revert(List.of(disk), Instant.EPOCH));
    assertFault("InvalidArgument", () -> revert(List.of(disk), moment.plusSeconds(60)));
    assertFault("NotSupported", () -> revert(List.of(snapshot), moment));
    assertFault("NotFound", () -> revert(List.of(VolumeId.random()), moment));
    assertThat(machine.content()).containsExactly(4, 5, 6);
  }

  @Test
  void whatThePoolRefusesChangesNoDisk() {
    Instant moment = changed();
    machine.plane.steps.when(
        "REVERT INTENDED",
        () -> machine.plane.engine.journals().end(OperationId.random(), machine.disks.get(2)));

    assertFault("NotFound", () -> revert(moment));

    assertThat(machine.content()).containsExactly(4, 5, 6);
    assertThat(machine.plane.store.log().begun()).isEmpty();
    assertThat(machine.plane.tasks.latest(1).getFirst().state())
        .isInstanceOf(TaskState.Failed.class);
    assertThat(machine.plane.reconciliation.atStart()).isEmpty();
  }

  @Test
  void whateverStepIsTheLastOneAllDisksGoBackOrNone() {
    Instant moment = changed();
    List<String> lastOnes = new ArrayList<>();
    boolean cut = true;
    for (int step = 1; cut; step++) {
      machine.plane.clock.advance(Duration.ofSeconds(1));
      for (int disk = 0; disk < 3; disk++) {
        machine.write(disk, 4 + disk);
      }
      machine.plane.steps.taken();
      machine.plane.steps.at(step);
      cut = isCutShort(moment);
      machine.plane.steps.at(0);
      if (cut) {
        lastOnes.add(machine.plane.steps.taken().getLast());
        restartAndCheck(lastOnes.getLast(), lastOnes.contains("REVERT CARRIED_OUT"));
      }
    }

    assertThat(lastOnes)
        .containsExactly(
            "REVERT BEGINNING", "REVERT INTENDED", "REVERT CARRIED_OUT", "REVERT CONCLUDED");
    assertThat(machine.content()).containsExactly(1, 1, 1);
  }

  private boolean isCutShort(Instant moment) {
    try {
      machine.plane.rewinds.revert(machine.disks, moment);
      return false;
    } catch (ProcessEnded e) {
      return true;
    }
  }

  private void restartAndCheck(String last, boolean happened) {
    machine.restart();
    ControlPlane plane = machine.plane;
    plane.reconciliation.atStart();

    assertThat(machine.content())
        .as(last)
        .isEqualTo(happened ? List.of(1, 1, 1) : List.of(4, 5, 6));
    assertThat(plane.reconciliation.atStart()).as(last).isEmpty();
    assertThat(plane.store.log().begun()).as(last).isEmpty();
    if (!last.equals("REVERT BEGINNING")) {
      assertThat(plane.tasks.latest(1).getFirst().state())
          .as(last)
          .isInstanceOf(happened ? TaskState.Success.class : TaskState.Failed.class);
    }
    if (happened) {
      revert(machine.points(0).reversed().get(1));
      assertThat(machine.content()).as("undo of " + last).containsExactly(4, 5, 6);
    }
  }
}

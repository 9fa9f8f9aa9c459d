package io.coppice.vasa.volume.copy;

import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import io.coppice.vasa.testing.TimedMachine;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// Clones of what volumes of a real pool held at a moment.
class MomentClonesTest {

  @AutoClose private final TimedMachine machine = new TimedMachine();

  private List<MomentClones.Wanted> wanted() {
    List<MomentClones.Wanted> wanted = new ArrayList<>();
    for (VolumeId disk : machine.disks) {
      wanted.add(
          new MomentClones.Wanted(
              disk, Map.of(VolumeChoice.NAME_KEY, "then-" + (wanted.size() + 1))));
    }
    return wanted;
  }

  private MomentClones.Together together(Instant moment) {
    return machine.plane.momentClones.cloneTogether(wanted(), moment);
  }

  /// Only the second disk changes after the first moment.
  private Instant changed() {
    machine.write(0, 1);
    machine.write(1, 2);
    Instant moment = machine.cut();
    machine.write(1, 7);
    machine.cut();
    return moment;
  }

  @Test
  void aCloneHoldsWhatItsSourceHeldWhileThatIsWritten() {
    Instant moment = changed();

    var state = machine.plane.momentClones.clone(wanted().get(1), moment.plusMillis(10)).state();

    if (!(state
        instanceof
        TaskState.Success(var _, TaskResult.NewVolumeAt(VolumeId made, Instant point)))) {
      throw new AssertionError("expected a clone, got " + state);
    }
    assertThat(point).isEqualTo(moment);
    assertThat(machine.content(List.of(made))).containsExactly(2);
    assertThat(machine.content()).containsExactly(1, 7, 0);
    VirtualVolume row = machine.plane.volumes.require(made);
    assertThat(row.origin()).isEqualTo(VolumeOrigin.ADMIN);
    assertThat(row.sizeInBytes()).isEqualTo(TimedMachine.SIZE);
    assertThat(row.metadata()).containsEntry(VolumeChoice.NAME_KEY, "then-2");
    machine.plane.write(made, 0, 64 << 10, 9);
    assertThat(machine.content()).as("its writes are its own").containsExactly(1, 7, 0);
    machine.plane.volumes.delete(machine.disks.get(1));
    assertThat(machine.content(List.of(made))).as("without its source").containsExactly(9);
  }

  @Test
  void theDisksOfAMachineAreClonedAsOfOneMoment() {
    changed();
    machine.write(2, 3);
    machine.cut();

    machine.held.forEach(
        (moment, content) -> {
          MomentClones.Together made = together(moment);
          assertThat(machine.content(made.volumes())).isEqualTo(content);
          assertThat(made.point()).isBeforeOrEqualTo(moment);
          made.volumes().forEach(machine.plane.volumes::delete);
        });
    assertThat(machine.content()).containsExactly(1, 7, 3);
  }

  @Test
  void ifOneCannotBeMadeNoneIsLeft() {
    Instant moment = changed();
    machine.plane.steps.when(
        "CREATE CLONED",
        () -> machine.plane.engine.journals().end(OperationId.random(), machine.disks.get(2)));

    assertFault("NotFound", () -> together(moment));

    assertNothing();
    assertThatThrownBy(() -> together(moment)).hasMessageContaining("has no timeline");
  }

  @Test
  void clonesThatTheContainerHasNoRoomForAreRefused() {
    Instant moment = changed();
    machine.plane.containers.update(machine.container.id(), "c1", 2 * TimedMachine.SIZE);

    assertFault("OutOfResource", () -> together(moment));

    assertNothing();
  }

  @Test
  void whateverStepIsTheLastOneAllOfThemAreMadeOrNone() {
    Instant moment = changed();
    List<String> lastOnes = new ArrayList<>();
    boolean cut = true;
    for (int step = 1; cut; step++) {
      machine.plane.steps.taken();
      machine.plane.steps.at(step);
      cut = isCutShort(moment);
      machine.plane.steps.at(0);
      if (cut) {
        lastOnes.add(machine.plane.steps.taken().getLast());
        machine.restart();
        machine.plane.reconciliation.atStart();
        if (lastOnes.getLast().equals("CREATE CONCLUDED")) {
          assertThat(machine.content(made())).containsExactlyInAnyOrder(1, 2, 0);
          made().forEach(machine.plane.volumes::delete);
        }
        assertNothing();
      }
    }

    assertThat(lastOnes)
        .containsExactly(
            "CREATE BEGINNING",
            "CREATE INTENDED",
            "CREATE CLONED",
            "CREATE CLONED",
            "CREATE CLONED",
            "CREATE CARRIED_OUT",
            "CREATE CONCLUDED");
    assertThat(made()).hasSize(3);
  }

  private boolean isCutShort(Instant moment) {
    try {
      together(moment);
      return false;
    } catch (ProcessEnded e) {
      return true;
    }
  }

  private List<VolumeId> made() {
    return machine.plane.volumes.page(VolumeChoice.plain(null, null), 9).stream()
        .map(VirtualVolume::id)
        .toList();
  }

  private void assertNothing() {
    assertThat(machine.plane.engine.list())
        .extracting(VolumeInfo::id)
        .containsExactlyInAnyOrderElementsOf(machine.disks);
    assertThat(machine.plane.volumes.list())
        .extracting(VirtualVolume::id)
        .containsExactlyInAnyOrderElementsOf(machine.disks);
    assertThat(machine.plane.store.log().begun()).isEmpty();
  }
}

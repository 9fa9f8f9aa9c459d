package io.coppice.vasa.volume.snapshot;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.MIB;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import io.coppice.vasa.testing.TestClock;
import io.coppice.vasa.volume.BinChoice;
import io.coppice.vasa.volume.BinnedVolume;
import io.coppice.vasa.volume.VirtualVolume;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Reverts that can be undone: what a volume held before is in the recycle bin.
class SafetyCopiesTest {

  private ControlPlane plane;
  private VolumeId disk;

  @BeforeEach
  void open() {
    TestClock clock = new TestClock();
    plane = ControlPlane.withBin(new MemoryEngine(1L << 40, clock), clock, ControlPlane.BIN);
    disk = plane.volume(plane.container("c1"), GIB);
    plane.write(disk, 0, (int) MIB, 7);
  }

  @AfterEach
  void close() {
    plane.target.close();
  }

  private List<VolumeId> inBin() {
    return plane.bin.page(BinChoice.ALL, RowOrder.by("deleted"), 100).stream()
        .map(BinnedVolume::id)
        .toList();
  }

  @Test
  void aRevertIsUndoneAlsoAfterARestart() {
    VolumeId snapshot = plane.snapshot(disk);
    plane.write(disk, 0, (int) MIB, 8);

    plane.reverts.revert(disk, snapshot);
    assertThat(plane.read(disk, 0)).isEqualTo(7);
    plane.target.close();
    plane = plane.restarted();
    assertThat(plane.reconciliation.atStart()).isEmpty();
    BinnedVolume copy = plane.bin.require(inBin().getFirst());
    assertThat(BinChoice.Kind.of(copy)).isEqualTo(BinChoice.Kind.SAFETY_COPY);
    assertThat(copy.volume().parent()).isEqualTo(disk);
    plane.reverts.undo(copy.id());

    assertThat(plane.read(disk, 0)).isEqualTo(8);
    assertThat(plane.snapshots.of(disk)).extracting(VirtualVolume::id).containsExactly(snapshot);
    assertThat(inBin()).as("the undoing can be undone").hasSize(2).contains(copy.id());
    assertFault("NotFound", () -> plane.bin.restore(copy.id(), null));
    assertFault("NotFound", () -> plane.reverts.undo(snapshot));
  }

  /// A second disk, and a snapshot of both at one cut.
  private VolumeId together(VolumeId other) {
    plane.write(other, 0, (int) MIB, 7);
    plane.snapshots.takeGroup(List.of(disk, other), Map.of());
    return plane.snapshots.of(other).getLast().id();
  }

  private List<Integer> contents(VolumeId other) {
    return List.of(plane.read(disk, 0), plane.read(other, 0));
  }

  @Test
  void disksOfAMachineGoBackTogetherAndThatIsUndoneTogether() {
    VolumeId other = plane.volume(plane.container("c2"), GIB);
    VolumeId snapshot = together(other);
    plane.write(disk, 0, (int) MIB, 8);
    plane.write(other, 0, (int) MIB, 9);

    plane.reverts.revertTogether(List.of(disk, other), snapshot);

    assertThat(contents(other)).containsExactly(7, 7);
    List<VolumeId> copies = inBin();
    assertThat(copies).hasSize(2);
    plane.reverts.undo(copies.getLast());
    assertThat(contents(other)).containsExactly(8, 9);
    assertThat(inBin()).as("the undoing can be undone").hasSize(4).containsAll(copies);
  }

  @Test
  void oneOfTwoCopiesIsEnoughToUndoWhatIsStillThere() {
    VolumeId other = plane.volume(plane.container("c2"), GIB);
    VolumeId snapshot = together(other);
    plane.write(disk, 0, (int) MIB, 8);
    plane.write(other, 0, (int) MIB, 9);
    plane.reverts.revertTogether(List.of(disk, other), snapshot);
    VolumeId first = inBin().getFirst();
    VolumeId of = plane.bin.require(first).volume().parent();
    plane.bin.purge(inBin().getLast());

    plane.reverts.undo(first);

    assertThat(contents(other)).isEqualTo(disk.equals(of) ? List.of(8, 7) : List.of(7, 9));
  }

  @Test
  void noDiskGoesBackIfOneCannot() {
    VolumeId other = plane.volume(plane.container("c2"), GIB);
    VolumeId snapshot = together(other);
    VolumeId later = plane.volume(plane.container("c3"), GIB);
    plane.write(disk, 0, (int) MIB, 8);
    plane.write(other, 0, (int) MIB, 9);

    assertFault(
        "NotSupported", () -> plane.reverts.revertTogether(List.of(disk, other, later), snapshot));
    assertFault("IncompatibleVolume", () -> plane.reverts.revertTogether(List.of(disk), snapshot));
    assertFault("NotFound", () -> plane.reverts.revertTogether(List.of(disk), VolumeId.random()));
    plane.hooks.before(
        "revert",
        () -> {
          throw new StorageException.OutOfSpace("no");
        });
    assertFault(
        "OutOfResource", () -> plane.reverts.revertTogether(List.of(disk, other), snapshot));

    assertThat(contents(other)).containsExactly(8, 9);
    assertThat(inBin()).isEmpty();
  }

  @Test
  void whateverStepIsTheLastOneAllDisksGoBackOrNone() {
    VolumeId other = plane.volume(plane.container("c2"), GIB);
    VolumeId snapshot = together(other);
    boolean cut = true;
    for (int step = 1; cut; step++) {
      plane.write(disk, 0, (int) MIB, 8);
      plane.write(other, 0, (int) MIB, 8);
      plane.steps.at(step);
      cut = cutShort(() -> plane.reverts.revertTogether(List.of(disk, other), snapshot));
      plane.steps.at(0);
      plane.target.close();
      plane = plane.restarted();
      plane.reconciliation.atStart();

      assertThat(plane.reconciliation.atStart()).isEmpty();
      assertThat(contents(other)).isIn(List.of(7, 7), List.of(8, 8));
      assertThat(inBin().size()).isIn(0, 2);
      if (plane.read(disk, 0) == 7) {
        assertThat(inBin()).hasSize(2);
        plane.reverts.undo(inBin().getFirst());
        assertThat(contents(other)).containsExactly(8, 8);
      }
      inBin().forEach(plane.bin::purge);
    }
  }

  @Test
  void aRevertThatIsRefusedKeepsNoCopy() {
    VolumeId snapshot = plane.snapshot(disk);
    plane.hooks.before(
        "revert",
        () -> {
          throw new StorageException.OutOfSpace("no");
        });

    assertFault("OutOfResource", () -> plane.reverts.revert(disk, snapshot));

    assertThat(inBin()).isEmpty();
    assertThat(plane.engine.list()).hasSize(2);
  }

  @Test
  void whateverStepIsTheLastOneNoRevertIsWithoutItsCopy() {
    VolumeId snapshot = plane.snapshot(disk);
    boolean cut = true;
    for (int step = 1; cut; step++) {
      plane.write(disk, 0, (int) MIB, 8);
      plane.steps.at(step);
      cut = cutShort(() -> plane.reverts.revert(disk, snapshot));
      plane.steps.at(0);
      plane.target.close();
      plane = plane.restarted();
      plane.reconciliation.atStart();

      assertThat(plane.reconciliation.atStart()).isEmpty();
      assertThat(inBin().size()).isLessThanOrEqualTo(1);
      if (plane.read(disk, 0) == 7) {
        assertThat(inBin()).hasSize(1);
        assertThat(plane.read(inBin().getFirst(), 0)).isEqualTo(8);
      }
      inBin().forEach(plane.bin::purge);
    }
    assertThat(plane.read(disk, 0)).isEqualTo(7);
  }

  private static boolean cutShort(Runnable revert) {
    try {
      revert.run();
      return false;
    } catch (ProcessEnded e) {
      return true;
    }
  }
}

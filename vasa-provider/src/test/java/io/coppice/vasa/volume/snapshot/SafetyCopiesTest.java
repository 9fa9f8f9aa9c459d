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
      cut = cutShort(snapshot);
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

  private boolean cutShort(VolumeId snapshot) {
    try {
      plane.reverts.revert(disk, snapshot);
      return false;
    } catch (ProcessEnded e) {
      return true;
    }
  }
}

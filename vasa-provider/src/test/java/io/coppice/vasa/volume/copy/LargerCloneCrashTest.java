package io.coppice.vasa.volume.copy;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.MIB;
import static io.coppice.vasa.testing.ControlPlane.made;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import io.coppice.vasa.volume.Labels;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.copy.Clones.NewClone;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clones that are larger than their source: all of it, size, name, labels and content, or nothing.
class LargerCloneCrashTest {

  private static final long LARGER = 3 * GIB;

  private ControlPlane plane;
  private StorageContainer container;
  private VolumeId source;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
    source = plane.volume(container, GIB);
    plane.write(source, 0, (int) MIB, 7);
  }

  @AfterEach
  void close() {
    plane.target.close();
  }

  @Test
  void aCloneMayBeLargerThanItsSource() {
    VolumeId clone = made(plane.clones.clone(wanted(LARGER)));
    plane.write(source, 0, (int) MIB, 8);
    plane.write(clone, LARGER - MIB, (int) MIB, 9);

    assertWhole(clone);
    assertThat(plane.read(clone, LARGER - MIB)).isEqualTo(9);
    assertThat(plane.read(clone, GIB)).isZero();
    assertThat(plane.volumes.require(source).sizeInBytes()).isEqualTo(GIB);
    assertThat(plane.engine.list()).as("no snapshot stays").hasSize(2);
  }

  @Test
  void aSmallerCloneIsRefusedWithBothSizes() {
    assertThatThrownBy(() -> plane.clones.clone(wanted(GIB - MIB)))
        .hasMessage(
            "expected a size of at least %d bytes, which the source %s has, got %d"
                .formatted(GIB, source, GIB - MIB));
    assertFault("InvalidArgument", () -> plane.clones.clone(wanted(GIB - MIB)));
    assertNothing();
  }

  @Test
  void aCloneThatThePoolDoesNotGrowIsGone() {
    plane.hooks.before(
        "resize",
        () -> {
          throw new StorageException.OutOfSpace("there is no room");
        });

    assertFault("OutOfResource", () -> plane.clones.clone(wanted(LARGER)));

    assertNothing();
    assertThat(plane.reconciliation.atStart()).isEmpty();
    assertNothing();
  }

  /// The volume exists after the last step only, and then whole.
  @Test
  void whateverStepIsTheLastOneAllOfItHappenedOrNothing() {
    List<String> lastOnes = new ArrayList<>();
    boolean cut = true;
    for (int step = 1; cut; step++) {
      plane.steps.taken();
      plane.steps.at(step);
      cut = cutShort();
      plane.steps.at(0);
      if (cut) {
        lastOnes.add(plane.steps.taken().getLast());
        plane.target.close();
        plane = plane.restarted();
        plane.reconciliation.atStart();
        if (lastOnes.getLast().equals("CREATE CONCLUDED")) {
          assertWhole(theClone());
          plane.volumes.delete(theClone());
        }
        assertNothing();
      }
    }

    assertThat(lastOnes)
        .containsExactly(
            "CREATE BEGINNING",
            "CREATE INTENDED",
            "CREATE CLONED",
            "CREATE CARRIED_OUT",
            "CREATE CONCLUDED");
    assertWhole(theClone());
  }

  @ParameterizedTest
  @CsvSource({"clone, false", "clone, true", "resize, false", "resize, true"})
  void whereverInThePoolTheProcessEndsNothingIsLeft(String call, boolean afterEffect) {
    plane.hooks.endProcess(call, afterEffect);
    assertThat(cutShort()).isTrue();

    plane.target.close();
    plane = plane.restarted();
    plane.reconciliation.atStart();

    assertNothing();
    assertThat(plane.reconciliation.atStart()).isEmpty();
    assertWhole(made(plane.clones.clone(wanted(LARGER))));
  }

  @Test
  void nobodySeesTheCloneBeforeItIsWhole() {
    List<Integer> seen = new ArrayList<>();
    plane.hooks.before(
        "resize", () -> seen.add(plane.volumes.page(VolumeChoice.plain(null, null), 9).size()));

    assertWhole(made(plane.clones.clone(wanted(LARGER))));

    assertThat(seen).containsExactly(0);
  }

  private boolean cutShort() {
    try {
      plane.clones.clone(wanted(LARGER));
      return false;
    } catch (ProcessEnded e) {
      return true;
    }
  }

  private NewClone wanted(long size) {
    Map<String, String> metadata = new HashMap<>(Labels.metadata(Map.of("app", "shop")));
    metadata.put(VolumeChoice.NAME_KEY, "copy");
    return new NewClone(source, null, VolumeOrigin.ADMIN, null, size, metadata);
  }

  private VolumeId theClone() {
    return plane.volumes.page(VolumeChoice.plain(container.id(), "copy"), 9).getFirst().id();
  }

  private void assertWhole(VolumeId clone) {
    VirtualVolume row = plane.volumes.require(clone);
    assertThat(row.sizeInBytes()).isEqualTo(LARGER);
    assertThat(plane.engine.find(clone).orElseThrow().sizeInBytes()).isEqualTo(LARGER);
    assertThat(row.metadata()).containsEntry(VolumeChoice.NAME_KEY, "copy");
    assertThat(Labels.in(row.metadata())).isEqualTo(Map.of("app", "shop"));
    assertThat(plane.read(clone, 0)).isEqualTo(7);
  }

  private void assertNothing() {
    assertThat(plane.engine.list()).extracting(VolumeInfo::id).containsExactly(source);
    assertThat(plane.volumes.list()).extracting(VirtualVolume::id).containsExactly(source);
    assertThat(plane.store.log().begun()).isEmpty();
  }
}

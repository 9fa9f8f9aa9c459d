package io.coppice.vasa.volume.copy;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.HOST;
import static io.coppice.vasa.testing.ControlPlane.SESSION;
import static io.coppice.vasa.testing.ControlPlane.made;
import static io.coppice.vasa.testing.ControlPlane.prepared;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.copy.Bitmaps.Segment;
import io.coppice.vasa.volume.copy.Clones.NewClone;
import io.coppice.vasa.volume.space.ContainerSpace;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClonesTest {

  private static final int MIB = 1 << 20;

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
  void cloneOfABoundVolumeHasItsContentAndTakesNoSpace() {
    plane.bindings.bind(HOST, plane.declareHost(), List.of(disk));
    plane.write(disk, 0, MIB, 1);
    ContainerSpace before = plane.spaces.ofContainer(container.id());

    VolumeId clone = made(plane.clones.clone(wanted(disk)));
    ContainerSpace after = plane.spaces.ofContainer(container.id());
    plane.write(disk, 0, MIB, 2);

    assertThat(plane.read(clone, 0)).isEqualTo(1);
    assertThat(after.used()).isEqualTo(before.used());
    assertThat(after.free()).isEqualTo(before.free());
    assertThat(after.provisioned()).isEqualTo(2 * GIB);
    assertThat(plane.spaces.ofVolumes(List.of(clone)).getFirst().committed()).isEqualTo(MIB);
  }

  @Test
  void cloneGoesToAnotherContainerAndStandsAlone() {
    StorageContainer other = plane.container("c2");
    plane.write(disk, 0, 4096, 7);
    VolumeId snapshot = plane.snapshot(disk);

    VolumeId clone =
        made(
            plane.clones.clone(
                new NewClone(snapshot, other.id(), VolumeOrigin.HOST, null, Map.of("a", "b"))));
    plane.volumes.delete(snapshot);
    plane.volumes.delete(disk);

    VirtualVolume row = plane.volumes.require(clone);
    assertThat(row.container()).isEqualTo(other.id());
    assertThat(row.metadata()).containsEntry("a", "b");
    assertThat(row.snapshot()).isFalse();
    assertThat(plane.read(clone, 0)).isEqualTo(7);
  }

  @Test
  void cloneOfWhatIsNotThereIsRefused() {
    VolumeId notTaken = prepared(plane.snapshots.prepare(disk, null, SESSION));

    assertFault("NotFound", () -> plane.clones.fastClone(wanted(VolumeId.random())));
    assertFault("NotFound", () -> plane.clones.fastClone(wanted(notTaken)));
    assertFault(
        "NotFound",
        () ->
            plane.clones.clone(
                new NewClone(disk, UUID.randomUUID(), VolumeOrigin.HOST, null, Map.of())));
    StorageContainer small = plane.containers.create("small", MIB);
    assertFault(
        "OutOfResource",
        () ->
            plane.clones.clone(new NewClone(disk, small.id(), VolumeOrigin.HOST, null, Map.of())));
    assertThat(plane.engine.list()).hasSize(1);
  }

  @Test
  void differencesAreCopiedOntoAnotherVolume() {
    plane.write(disk, 0, 4096, 1);
    VolumeId base = plane.snapshot(disk);
    VolumeId destination = made(plane.clones.clone(wanted(base)));
    plane.write(disk, 8192, 4096, 3);

    plane.clones.copyDiffs(disk, base, destination);

    assertThat(plane.read(destination, 0)).isEqualTo(1);
    assertThat(plane.read(destination, 8192)).isEqualTo(3);
  }

  @Test
  void differencesOfStrangersOrOntoBoundOrSnapshotAreRefused() {
    VolumeId base = plane.snapshot(disk);
    VolumeId stranger = plane.volume(container, GIB);
    VolumeId small = plane.volume(container, MIB);
    VolumeId bound = plane.volume(container, GIB);
    plane.bindings.bind(HOST, plane.declareHost(), List.of(bound));

    assertFault("IncompatibleVolume", () -> plane.clones.copyDiffs(disk, stranger, stranger));
    assertFault("InvalidArgument", () -> plane.clones.copyDiffs(disk, base, small));
    assertFault("ResourceInUse", () -> plane.clones.copyDiffs(disk, base, bound));
    assertFault("NotSupported", () -> plane.clones.copyDiffs(disk, base, base));
    assertFault("NotFound", () -> plane.clones.copyDiffs(VolumeId.random(), base, stranger));
    assertThat(plane.store.log().begun()).isEmpty();
  }

  @Test
  void bitmapsTellStoredAndChangedChunks() {
    plane.write(disk, 0, 4096, 1);
    plane.write(disk, 3 * MIB, 4096, 1);
    VolumeId base = plane.snapshot(disk);
    plane.write(disk, 9 * MIB + 4096, 4096, 2);
    Segment segment = new Segment(0, 16 * MIB);

    assertThat(plane.bitmaps.allocated(disk, segment, MIB)).isEqualTo(bits(16, 0, 3, 9));
    assertThat(plane.bitmaps.unshared(disk, base, segment, MIB)).isEqualTo(bits(16, 9));
    assertThat(plane.bitmaps.unsharedChunks(base, null, segment).unshared()).isEqualTo(1);
    assertThat(plane.bitmaps.unsharedChunks(disk, base, new Segment(0, GIB)))
        .isEqualTo(new Bitmaps.Unshared(64 << 10, GIB / (64 << 10), 1));
  }

  @Test
  void badSegmentsAndStrangersHaveNoBitmap() {
    VolumeId base = plane.snapshot(disk);
    VolumeId stranger = plane.volume(container, GIB);
    List<Segment> outside =
        List.of(
            new Segment(0, 0),
            new Segment(-1, 4096),
            new Segment(0, GIB + 1),
            new Segment(GIB, 4096),
            new Segment(Long.MAX_VALUE, Long.MAX_VALUE));

    for (Segment segment : outside) {
      assertFault("InvalidArgument", () -> plane.bitmaps.allocated(disk, segment, 4096));
      assertFault("InvalidArgument", () -> plane.bitmaps.unshared(disk, base, segment, 4096));
      assertFault("InvalidArgument", () -> plane.bitmaps.unsharedChunks(disk, base, segment));
      assertFault(
          "IncompatibleVolume", () -> plane.bitmaps.unshared(disk, stranger, segment, 4096));
    }
    for (long chunk : List.of(0L, -4096L, 1L, 6000L)) {
      assertFault(
          "InvalidArgument", () -> plane.bitmaps.allocated(disk, new Segment(0, GIB), chunk));
    }
    assertFault(
        "NotFound", () -> plane.bitmaps.allocated(VolumeId.random(), new Segment(0, GIB), 4096));
    assertFault(
        "IncompatibleVolume", () -> plane.bitmaps.unsharedChunks(disk, null, new Segment(0, GIB)));
  }

  private static ChunkBitmap bits(int count, int... set) {
    BitSet bits = new BitSet();
    for (int bit : set) {
      bits.set(bit);
    }
    return new ChunkBitmap(count, bits);
  }

  private static NewClone wanted(VolumeId source) {
    return new NewClone(source, null, VolumeOrigin.HOST, null, Map.of("VMW_VVolName", "clone"));
  }
}

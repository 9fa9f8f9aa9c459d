package io.coppice.vasa.volume.lifecycle;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.HOST;
import static io.coppice.vasa.testing.ControlPlane.MIB;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeSpec;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.space.VolumeUsage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VirtualVolumesTest {

  private ControlPlane plane;
  private StorageContainer container;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
  }

  @Test
  void createdVolumeIsInPoolAndRows() {
    VasaTask task = plane.volumes.create(wanted(container.id(), GIB));

    VolumeId id = ControlPlane.made(task);
    assertThat(plane.tasks.require(task.id())).isEqualTo(task);
    assertThat(plane.engine.find(id)).map(VolumeInfo::sizeInBytes).contains(GIB);
    VirtualVolume volume = plane.volumes.require(id);
    assertThat(volume.state()).isEqualTo(VvolState.READY);
    assertThat(volume.metadata())
        .containsEntry("VMW_VVolName", "disk")
        .containsEntry("VMW_VVolType", "Data")
        .containsEntry("VMW_ContainerId", container.id().toString());
    assertThat(plane.store.log().begun()).isEmpty();
  }

  @Test
  void badSizesAreRefusedAndLeaveNothing() {
    for (long size :
        List.of(
            0L,
            -1L,
            1L,
            MIB + 1,
            MIB / 2,
            MIB + 4096,
            VolumeSpec.MAX_SIZE_IN_BYTES + MIB,
            Long.MIN_VALUE)) {
      assertFault("InvalidArgument", () -> plane.volumes.create(wanted(container.id(), size)));
    }
    assertThat(plane.engine.list()).isEmpty();
    assertThat(plane.volumes.list()).isEmpty();
    assertThat(plane.tasks.latest(10)).isEmpty();
  }

  @Test
  void unknownContainerIsRefused() {
    assertFault("NotFound", () -> plane.volumes.create(wanted(UUID.randomUUID(), GIB)));
  }

  @Test
  void volumeBeyondTheQuotaIsOutOfResource() {
    assertFault("OutOfResource", () -> plane.volumes.create(wanted(container.id(), 101 * GIB)));
    assertThat(plane.engine.list()).isEmpty();
  }

  @Test
  void metadataThatThePoolCannotTakeFailsTheTaskAndLeavesNoVolume() {
    NewVolume wanted =
        new NewVolume(
            container.id(),
            VolumeType.DATA,
            VolumeOrigin.HOST,
            null,
            GIB,
            Map.of("key", "x".repeat(9000)));

    assertFault("InvalidArgument", () -> plane.volumes.create(wanted));

    assertThat(plane.engine.list()).isEmpty();
    assertThat(plane.volumes.list()).isEmpty();
    assertThat(plane.store.log().begun()).isEmpty();
    assertThat(plane.tasks.latest(10))
        .singleElement()
        .satisfies(task -> assertThat(task.state()).isInstanceOf(TaskState.Failed.class));
  }

  @Test
  void deletedVolumeIsGoneEverywhere() {
    VolumeId id = plane.volume(container, GIB);

    plane.volumes.delete(id);

    assertThat(plane.engine.list()).isEmpty();
    assertThat(plane.volumes.find(id)).isEmpty();
    assertFault("NotFound", () -> plane.volumes.delete(id));
  }

  @Test
  void boundOrExportedVolumeIsNotDeleted() {
    VolumeId bound = plane.volume(container, GIB);
    plane.bindings.bind(HOST, plane.declareHost(), List.of(bound));
    VolumeId exported = plane.volume(container, GIB);
    plane.luns.export(OperationId.random(), exported, Optional.empty(), false, Set.of("iqn.x"));

    assertFault("ResourceInUse", () -> plane.volumes.delete(bound));
    assertFault("ResourceInUse", () -> plane.volumes.delete(exported));

    assertThat(plane.engine.list()).hasSize(2);
    plane.bindings.unbindAll(HOST);
    plane.volumes.delete(bound);
  }

  @Test
  void volumeThatLeftThePoolCanStillBeDeleted() {
    VolumeId id = plane.volume(container, GIB);
    plane.engine.delete(OperationId.random(), id);

    plane.volumes.delete(id);

    assertThat(plane.volumes.find(id)).isEmpty();
  }

  @Test
  void resizeGrowsAlsoWhileBoundAndNeverShrinks() {
    VolumeId id = plane.volume(container, GIB);
    plane.bindings.bind(HOST, plane.declareHost(), List.of(id));

    plane.volumes.resize(id, 2 * GIB);

    assertThat(plane.volumes.require(id).sizeInBytes()).isEqualTo(2 * GIB);
    assertThat(plane.engine.find(id)).map(VolumeInfo::sizeInBytes).contains(2 * GIB);
    assertFault("InvalidArgument", () -> plane.volumes.resize(id, GIB));
    assertFault("InvalidArgument", () -> plane.volumes.resize(id, 0));
    assertFault("InvalidArgument", () -> plane.volumes.resize(id, 3 * GIB + 4096));
    assertFault("OutOfResource", () -> plane.volumes.resize(id, 101 * GIB));
    assertFault("NotFound", () -> plane.volumes.resize(VolumeId.random(), GIB));
  }

  @Test
  void metadataIsPutAndRemovedInPoolAndRows() {
    VolumeId id = plane.volume(container, GIB, Map.of("a", "1", "b", "2"));

    plane.volumes.updateMetadata(id, Map.of("a", "3", "c", "4"), Set.of("b"));

    assertThat(plane.volumes.require(id).metadata())
        .containsEntry("a", "3")
        .containsEntry("c", "4")
        .doesNotContainKey("b");
    assertThat(plane.engine.find(id).orElseThrow().attributes())
        .containsEntry("vasa.a", "3")
        .doesNotContainKey("vasa.b");
    assertFault(
        "NotFound",
        () -> plane.volumes.updateMetadata(VolumeId.random(), Map.of("a", "1"), Set.of()));
    assertFault(
        "InvalidArgument",
        () -> plane.volumes.updateMetadata(id, Map.of("a", "x".repeat(9000)), Set.of()));
    assertThat(plane.volumes.require(id).metadata()).containsEntry("a", "3");
  }

  @Test
  void pairsThatSayWhatAVolumeIsAreOurs() {
    UUID other = plane.container("c2").id();
    for (Map<String, String> wrong :
        List.of(
            Map.of("VMW_VVolType", "Bogus"),
            Map.of("VMW_VVolType", "Config"),
            Map.of("VMW_ContainerId", other.toString()))) {
      assertFault(
          "InvalidArgument",
          () ->
              plane.volumes.create(
                  new NewVolume(
                      container.id(), VolumeType.DATA, VolumeOrigin.HOST, null, GIB, wrong)));
    }
    assertThat(plane.volumes.ids()).isEmpty();

    VolumeId id = plane.volume(container, GIB, Map.of("VMW_VVolType", "Data"));
    Map<String, String> before = plane.volumes.require(id).metadata();
    for (Map<String, String> wrong :
        List.of(
            Map.of("VMW_VVolType", "Bogus"),
            Map.of("VMW_ContainerId", other.toString(), "a", "1"))) {
      assertFault("InvalidArgument", () -> plane.volumes.updateMetadata(id, wrong, Set.of()));
    }
    for (String key : List.of("VMW_VVolType", "VMW_ContainerId")) {
      assertFault(
          "InvalidArgument", () -> plane.volumes.updateMetadata(id, Map.of("a", "1"), Set.of(key)));
    }
    assertThat(plane.volumes.require(id).metadata()).isEqualTo(before);

    plane.volumes.updateMetadata(id, Map.copyOf(before), Set.of());
    assertThat(plane.volumes.require(id).metadata()).isEqualTo(before);
  }

  @Test
  void searchJoinsConstraintsWithAnd() {
    VolumeId config =
        ControlPlane.made(
            plane.volumes.create(
                new NewVolume(
                    container.id(),
                    VolumeType.CONFIG,
                    VolumeOrigin.HOST,
                    null,
                    GIB,
                    Map.of("VMW_VVolType", "Config", "vm", "1"))));
    VolumeId disk = plane.volume(container, GIB, Map.of("vm", "1"));
    plane.volume(plane.container("c2"), GIB, Map.of("vm", "2"));

    assertThat(plane.volumes.search(Map.of("vm", Optional.of("1"))))
        .containsExactlyInAnyOrder(config, disk);
    assertThat(
            plane.volumes.search(
                Map.of(
                    "VMW_ContainerId",
                    Optional.of(container.id().toString()),
                    "VMW_VVolType",
                    Optional.of("Config"))))
        .containsExactly(config);
    assertThat(plane.volumes.search(Map.of("vm", Optional.empty()))).hasSize(3);
    assertThat(plane.volumes.search(Map.of("vm", Optional.of("1' or '1'='1")))).isEmpty();
    assertFault("InvalidArgument", () -> plane.volumes.search(Map.of()));
    assertFault(
        "InvalidArgument", () -> plane.volumes.search(Map.of("VMW_VvolProfile", Optional.empty())));
  }

  @Test
  void unknownIdsAreLeftOutOfInfoAndSpace() {
    VolumeId id = plane.volume(container, GIB);

    List<VolumeId> asked = List.of(VolumeId.random(), id);
    assertThat(plane.volumes.find(asked)).extracting(VirtualVolume::id).containsExactly(id);
    assertThat(plane.spaces.ofVolumes(asked)).containsExactly(new VolumeUsage(id, GIB, 0, 0));
  }

  @Test
  void containerWithVolumesCannotBeDeleted() {
    VolumeId id = plane.volume(container, GIB);

    assertFault("ResourceInUse", () -> plane.containers.delete(container.id()));
    plane.volumes.delete(id);
    plane.containers.delete(container.id());

    assertThat(plane.containers.list()).isEmpty();
  }

  private static NewVolume wanted(UUID container, long sizeInBytes) {
    return new NewVolume(
        container,
        VolumeType.DATA,
        VolumeOrigin.HOST,
        null,
        sizeInBytes,
        Map.of("VMW_VVolName", "disk"));
  }
}

package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.export.temporary.TemporaryExports;
import io.coppice.vasa.housekeeping.OrphanSettings;
import io.coppice.vasa.housekeeping.Orphans;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.Orphan;
import io.coppice.vasa.volume.OrphanChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Orphans over REST: each reason, and all that keeps something from being one.
class OrphansTest {

  private static final HostId ESX = new HostId("esx-orphans");

  private static AdminServer server;

  private String container;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    server.control.luns.declareHost(OperationId.random(), ESX, Set.of("iqn.2026-11.test:orphans"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// Each test has a container of its own.
  @BeforeEach
  void make() {
    container = server.container(UUID.randomUUID().toString());
  }

  private VolumeId vvol(VolumeType type, Map<String, String> metadata) {
    return ControlPlane.made(
        server.control.volumes.create(
            new NewVolume(
                UUID.fromString(container),
                type,
                VolumeOrigin.HOST,
                null,
                ControlPlane.GIB,
                metadata)));
  }

  private Answer orphans() {
    return server.get("orphans?total=true&container=" + container);
  }

  private List<String> ids() {
    return AdminServer.texts(orphans(), "/id");
  }

  private String snapshot(String volume, String name) {
    return server
        .post("vvols/" + volume + "/snapshots?wait=10s", "{\"name\": \"%s\"}".formatted(name))
        .text("/result/id");
  }

  @Test
  void aVvolWithoutAVirtualMachineIsOne() {
    VolumeId lost = vvol(VolumeType.DATA, Map.of("VMW_VVolName", "lost"));
    vvol(VolumeType.CONFIG, Map.of("VMW_VmID", "vm-here"));
    vvol(VolumeType.DATA, Map.of("VMW_VmID", "vm-here"));
    server.volume(container, "plain");

    Answer list = orphans();

    assertThat(AdminServer.texts(list, "/id")).containsExactly(lost.toString());
    assertThat(list.number("/total")).isEqualTo(1);
    assertThat(list.text("/items/0/name")).isEqualTo("lost");
    assertThat(list.text("/items/0/kind")).isEqualTo("vvol");
    assertThat(list.text("/items/0/reason")).isEqualTo("noVm");
    assertThat(list.text("/items/0/owner")).isEqualTo("vcenter");
    assertThat(list.text("/items/0/sentence")).startsWith("No virtual machine");
    assertThat(list.number("/items/0/frees")).isZero();
    assertThat(list.number("/items/0/size")).isEqualTo(ControlPlane.GIB);
    assertThat(AdminServer.texts(server.get("orphans?name=lost&container=" + container), "/id"))
        .containsExactly(lost.toString());
    assertThat(server.get("orphans?name=found").json().get("items")).isEmpty();
  }

  @Test
  void whatIsLeftOfAVirtualMachineIsOne() {
    VolumeId config = vvol(VolumeType.CONFIG, Map.of("VMW_VmID", "vm-left"));
    VolumeId disk = vvol(VolumeType.DATA, Map.of("VMW_VmID", "vm-left"));
    assertThat(ids()).isEmpty();
    server.control.volumes.deleteForGood(config);

    Answer list = orphans();

    assertThat(AdminServer.texts(list, "/id")).containsExactly(disk.toString());
    assertThat(list.text("/items/0/reason")).isEqualTo("vmGone");
    assertThat(list.text("/items/0/vm")).isEqualTo("vm-left");
    assertThat(list.text("/items/0/sentence")).contains("vm-left");
  }

  @Test
  void whatAHostUsesIsNone() {
    VolumeId bound = vvol(VolumeType.DATA, Map.of());
    VolumeId exported = vvol(VolumeType.OTHER, Map.of());
    server.control.luns.bind(OperationId.random(), ESX, bound, Set.of());
    OffloadsTest.export(server, exported, "iqn.2026-11.test:look");

    assertThat(ids()).isEmpty();
    server.control.luns.unexport(OperationId.random(), exported);
    assertThat(ids()).containsExactly(exported.toString());
  }

  @Test
  void aSnapshotWhoseVolumeIsGoneIsOneButNotWhileThatIsInTheBin() {
    server.patch("containers/" + container, "{\"binTime\": \"P2D\"}");
    String volume = server.volume(container, "data");
    String snapshot = snapshot(volume, "before");
    assertThat(server.delete("volumes/" + volume).status()).isEqualTo(204);
    assertThat(ids()).as("its volume can be restored").isEmpty();

    assertThat(server.delete("bin/" + volume).status()).isEqualTo(204);

    Answer list = orphans();
    assertThat(AdminServer.texts(list, "/id")).containsExactly(snapshot);
    assertThat(list.text("/items/0/kind")).isEqualTo("snapshot");
    assertThat(list.text("/items/0/reason")).isEqualTo("volumeGone");
    assertThat(list.text("/items/0/vvol")).isEqualTo(volume);
    assertThat(list.text("/items/0/owner")).isEqualTo("administrator");

    server.post("snapshots/" + snapshot + "/lock", "{\"lockFor\": \"P1D\"}");
    assertThat(ids()).as("it is kept on purpose").isEmpty();
  }

  @Test
  void theCloneOfATemporaryExportIsOneWhenThatIsGone() {
    String snapshot = snapshot(server.volume(container, "looked-at"), "point");
    Answer made =
        server.post(
            "temporary-exports",
            "{\"snapshots\": [\"%s\"], \"initiators\": [\"iqn.2026-11.test:t\"], \"writable\": true}"
                .formatted(snapshot));
    String clone = made.text("/units/0/vvol");
    server.control.luns.unexport(OperationId.random(), new VolumeId(UUID.fromString(clone)));
    assertThat(ids()).as("the export takes it away in time").isEmpty();

    server
        .control
        .store
        .engine()
        .records()
        .apply(
            OperationId.random(),
            List.of(new RecordChange.Remove("control/temporary-export/" + made.text("/id"))));

    Answer list = orphans();
    assertThat(AdminServer.texts(list, "/id")).containsExactly(clone);
    assertThat(list.text("/items/0/kind")).isEqualTo("volume");
    assertThat(list.text("/items/0/reason")).isEqualTo("exportGone");
    assertThat(list.text("/items/0/owner")).isEqualTo("administrator");
    assertThat(server.delete("volumes/" + clone).status()).isEqualTo(204);
    assertThat(ids()).isEmpty();
  }

  @Test
  void whatIsYoungIsNone() {
    VolumeId lost = vvol(VolumeType.DATA, Map.of());
    Orphans daily =
        new Orphans(
            server.control.store,
            server.bean(TemporaryExports.class),
            new OrphanSettings(Duration.ofDays(1)));
    OrphanChoice here = new OrphanChoice(UUID.fromString(container), null);
    RowOrder order = RowOrder.by("created");

    assertThat(daily.candidates(here, order, 10)).isEmpty();
    server.control.clock.advance(Duration.ofDays(1));
    assertThat(daily.unneeded(daily.candidates(here, order, 10)))
        .extracting(one -> one.volume().id(), Orphan::reason)
        .containsExactly(tuple(lost, Orphan.Reason.NO_VM));
  }

  @Test
  void aTokenOfSomeContainersSeesTheirsOnly() {
    try (TwoContainers two = new TwoContainers()) {
      String mine = left(two, two.own);
      String hidden = left(two, two.other);

      assertThat(AdminServer.texts(two.server.get("orphans"), "/id"))
          .containsExactlyInAnyOrder(mine, hidden);
      Answer seen = two.as("GET", "orphans?total=true", null);
      assertThat(AdminServer.texts(seen, "/id")).containsExactly(mine);
      assertThat(seen.number("/total")).isEqualTo(1);
    }
  }

  /// A snapshot that outlives its volume.
  private static String left(TwoContainers two, String container) {
    String volume = two.server.volume(container, two.name());
    String snapshot = two.snapshot(volume);
    assertThat(two.server.delete("volumes/" + volume + "?purge=true").status()).isEqualTo(204);
    return snapshot;
  }
}

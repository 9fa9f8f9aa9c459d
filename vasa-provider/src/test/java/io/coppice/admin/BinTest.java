package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.SessionOrigin;
import io.coppice.scsi.transport.TargetDevice;
import io.coppice.vasa.approval.Approvals;
import io.coppice.vasa.approval.Approver;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The recycle bin over REST: deleted, listed, restored and purged.
class BinTest {

  private static final String IQN = "iqn.2026-11.test:bin";

  private static AdminServer server;

  private String container;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// Each test has a container of its own.
  @BeforeEach
  void switchOn() {
    container = server.container(UUID.randomUUID().toString());
    Answer changed = server.patch("containers/" + container, "{\"binTime\": \"P2D\"}");
    assertThat(changed.text("/binTime")).isEqualTo("P2D");
  }

  private VolumeId disk(String name) {
    return ControlPlane.made(
        server.control.volumes.create(
            new NewVolume(
                UUID.fromString(container),
                VolumeType.DATA,
                VolumeOrigin.HOST,
                null,
                ControlPlane.GIB,
                Map.of("VMW_VmID", "vm-1", "VMW_VVolName", name))));
  }

  /// What of the test's container is in a list.
  private List<String> ids(String list) {
    JsonNode items = server.get(list).json().get("items");
    return items
        .valueStream()
        .filter(item -> item.get("container").asString().equals(container))
        .map(item -> item.get("id").asString())
        .toList();
  }

  @Test
  void aDeletedVolumeIsInTheBinUntilItIsRestored() {
    String volume = server.volume(container, "data");
    server.patch("volumes/" + volume, "{\"labels\": {\"app\": \"shop\"}}");
    Answer before = server.get("volumes/" + volume);

    assertThat(server.delete("volumes/" + volume).status()).isEqualTo(204);

    assertProblem(server.get("volumes/" + volume), 404, "not-found");
    assertProblem(server.get("vvols/" + volume), 404, "not-found");
    assertProblem(server.delete("volumes/" + volume), 404, "not-found");
    assertThat(ids("volumes")).isEmpty();
    assertThat(server.get("containers/" + container).number("/vvols")).isZero();
    Answer item = server.get("bin/" + volume);
    assertThat(item.text("/name")).isEqualTo("data");
    assertThat(item.text("/kind")).isEqualTo("volume");
    assertThat(item.text("/by")).isEqualTo("admin.token");
    assertThat(item.text("/deleted")).isEqualTo("2026-11-21T12:00:00Z");
    assertThat(item.text("/until")).isEqualTo("2026-11-23T12:00:00Z");
    Answer chosen = server.get("bin?kind=volume&name=data&container=" + container);
    assertThat(AdminServer.texts(chosen, "/id")).containsExactly(volume);

    Answer restored = server.post("bin/" + volume + "/restore", null);
    assertThat(restored.status()).as(restored.toString()).isEqualTo(200);
    assertThat(restored.text("/id")).isEqualTo(volume);
    assertThat(server.get("volumes/" + volume).json()).isEqualTo(before.json());
    assertThat(ids("bin")).isEmpty();
    assertProblem(server.post("bin/" + volume + "/restore", null), 404, "not-found");
  }

  private Answer exported(String volume, String more) {
    return server.post(
        "exports", "{\"vvol\": \"%s\", \"initiators\": [\"%s\"]%s}".formatted(volume, IQN, more));
  }

  @Test
  void anExportGoesWithItsVolumeAndComesBackWithIt() {
    String volume = server.volume(container, "data");
    JsonNode export = exported(volume, "").json();
    TargetDevice target = server.control.target.plain();
    Nexus session =
        target.attach(new InitiatorPort(IQN, 1), new SessionOrigin("10.0.0.1:3260", "10.0.0.9:1"));
    assertProblem(server.delete("volumes/" + volume), 409, "in-use");
    Answer refused = server.delete("volumes/" + volume + "?unexport=true");
    assertProblem(refused, 409, "in-use");
    assertThat(refused.text("/detail")).contains("10.0.0.9:1");
    target.detach(session, () -> {});

    assertThat(server.delete("volumes/" + volume + "?unexport=true").status()).isEqualTo(204);
    assertProblem(server.get("exports/" + volume), 404, "not-found");
    Answer restored = server.post("bin/" + volume + "/restore", null);

    assertThat(restored.number("/lun")).isEqualTo(export.get("lun").asInt());
    assertThat(restored.json().get("exportRefused").isNull()).isTrue();
    assertThat(server.get("exports/" + volume).json()).isEqualTo(export);
    assertThat(server.control.engine.find(VolumeId.parse(volume)).orElseThrow().attributes())
        .doesNotContainKey("coppice.bin.export");
  }

  @Test
  void anExportWhoseNumberIsTakenDoesNotHoldItsVolumeUp() {
    String volume = server.volume(container, "data");
    long lun = exported(volume, "").number("/lun");
    server.delete("volumes/" + volume + "?unexport=true");
    String other = server.volume(container, "other");
    Answer taken = exported(other, ", \"lun\": %d, \"force\": true".formatted(lun));
    assertThat(taken.status()).as(taken.toString()).isEqualTo(201);

    Answer restored = server.post("bin/" + volume + "/restore", null);

    assertThat(restored.status()).as(restored.toString()).isEqualTo(200);
    assertThat(restored.json().get("lun").isNull()).isTrue();
    assertThat(restored.text("/exportRefused")).contains("LUN " + lun);
    assertThat(ids("volumes")).contains(volume);
    assertProblem(server.get("exports/" + volume), 404, "not-found");
  }

  @Test
  void aRecoveryPointGoesThereUnlessAStorageAdminPurgesIt() {
    String name = UUID.randomUUID().toString();
    String group =
        Protecting.group(
            server, name, Protecting.policy(server, name), server.volume(container, "data"));
    String kept = Protecting.point(server, group, "kept");
    String purged = Protecting.point(server, group, "purged");
    String token = server.token("vm-admin");
    assertProblem(
        server.callAs(token, "DELETE", "recovery-points/" + purged + "?purge=true", null),
        403,
        "forbidden");
    assertProblem(
        server.callAs(token, "DELETE", "protection-groups/" + group + "?points=purge", null),
        403,
        "forbidden");

    assertThat(server.delete("recovery-points/" + purged + "?purge=true").status()).isEqualTo(204);
    assertThat(ids("bin")).isEmpty();
    assertThat(server.callAs(token, "DELETE", "recovery-points/" + kept, null).status())
        .isEqualTo(204);
    assertProblem(server.get("recovery-points/" + kept), 404, "not-found");
    String snapshot = ids("bin?kind=snapshot").getFirst();
    server.post("bin/" + snapshot + "/restore", null);

    assertThat(server.get("recovery-points/" + kept).json().at("/snapshots/0").asString())
        .isEqualTo(snapshot);
    assertThat(server.delete("protection-groups/" + group + "?points=purge").status())
        .isEqualTo(204);
    assertThat(ids("bin")).isEmpty();
    assertThat(ids("snapshots")).isEmpty();
  }

  @Test
  void aNameThatIsTakenIsChosenAnew() {
    String volume = server.volume(container, "data");
    server.delete("volumes/" + volume);
    String other = server.volume(container, "data");

    assertProblem(server.post("bin/" + volume + "/restore", null), 409, "name-taken");
    assertProblem(
        server.post("bin/" + volume + "/restore", "{\"name\": \" \"}"), 400, "invalid-argument");
    Answer restored = server.post("bin/" + volume + "/restore", "{\"name\": \"data 2\"}");

    assertThat(restored.text("/name")).isEqualTo("data 2");
    assertThat(server.get("volumes/" + volume).text("/name")).isEqualTo("data 2");
    assertThat(server.get("volumes/" + other).text("/name")).isEqualTo("data");
  }

  @Test
  void onlyAStorageAdminPurges() {
    String volume = server.volume(container, "data");
    String snapshot =
        server
            .post("vvols/" + volume + "/snapshots?wait=10s", "{\"name\": \"s\"}")
            .text("/result/id");
    String token = server.token("vm-admin");

    Answer refused = server.callAs(token, "DELETE", "snapshots/" + snapshot + "?purge=true", null);
    assertProblem(refused, 403, "forbidden");
    assertThat(server.callAs(token, "DELETE", "snapshots/" + snapshot, null).status())
        .isEqualTo(204);
    assertProblem(server.callAs(token, "DELETE", "bin/" + snapshot, null), 403, "forbidden");
    assertThat(server.callAs(token, "POST", "bin/" + snapshot + "/restore", null).status())
        .isEqualTo(200);

    assertThat(server.delete("snapshots/" + snapshot + "?purge=true").status()).isEqualTo(204);
    assertThat(ids("bin")).isEmpty();
    server.delete("volumes/" + volume);
    assertThat(server.delete("bin/" + volume).status()).isEqualTo(204);
    assertThat(ids("bin")).isEmpty();
    assertThat(server.control.engine.find(VolumeId.parse(volume))).isEmpty();
    assertThat(server.control.engine.find(VolumeId.parse(snapshot))).isEmpty();
    assertProblem(server.delete("bin/" + volume), 404, "not-found");
  }

  @Test
  void aVirtualMachineThatVcenterDeletedComesBackAsAWhole() {
    VolumeId first = disk("one");
    VolumeId second = disk("two");
    VolumeId snapshot = server.control.snapshot(first);
    for (VolumeId id : List.of(snapshot, first, second)) {
      server.control.volumes.delete(id);
    }
    assertProblem(server.get("vms/vm-1"), 404, "not-found");
    assertThat(ids("bin?vm=vm-1")).hasSize(3);
    server.control.bin.purge(second); // a part is lost

    Answer restored = server.post("vms/vm-1/restore", null);

    assertThat(restored.status()).as(restored.toString()).isEqualTo(200);
    assertThat(restored.json().get("restored").valueStream().map(one -> one.get("id").asString()))
        .containsExactly(first.toString(), snapshot.toString());
    assertThat(restored.json().get("left")).isEmpty();
    assertThat(server.get("vms/vm-1").json().get("vvols")).hasSize(1);
    assertThat(ids("vms/vm-1/snapshots")).containsExactly(snapshot.toString());
    assertProblem(server.post("vms/vm-1/restore", null), 404, "not-found");
  }

  @Test
  void aPointOfWhichAPartWasPurgedComesBackWithTheRest() {
    String name = UUID.randomUUID().toString();
    String policy = Protecting.policy(server, name);
    String members =
        "[{\"volume\": \"%s\"}, {\"volume\": \"%s\"}]"
            .formatted(server.volume(container, "one"), server.volume(container, "two"));
    String group =
        AdminServer.made(
            server.post(
                "protection-groups",
                "{\"name\": \"%s\", \"policy\": \"%s\", \"members\": %s}"
                    .formatted(name, policy, members)));
    String point = Protecting.point(server, group, "now");
    server.delete("recovery-points/" + point);
    List<String> snapshots = ids("bin?kind=snapshot");
    assertThat(snapshots).hasSize(2);
    assertThat(server.delete("bin/" + snapshots.getFirst()).status()).isEqualTo(204);

    Answer lost = server.post("bin/" + snapshots.getFirst() + "/restore", null);
    Answer back = server.post("bin/" + snapshots.getLast() + "/restore", null);

    assertProblem(lost, 404, "not-found");
    assertThat(back.status()).as(back.toString()).isEqualTo(200);
    Answer shown = server.get("recovery-points/" + point);
    assertThat(shown.json().get("snapshots")).hasSize(1);
    assertThat(shown.text("/snapshots/0")).isEqualTo(snapshots.getLast());
    assertThat(ids("bin")).isEmpty();
    assertThat(server.delete("protection-groups/" + group + "?points=purge").status())
        .isEqualTo(204);
  }

  @Test
  void aRevertIsUndoneByItsSafetyCopy() {
    String volume = server.volume(container, "data");
    VolumeId id = VolumeId.parse(volume);
    server.control.write(id, 0, 4096, 1);
    String snapshot =
        server
            .post("vvols/" + volume + "/snapshots?wait=10s", "{\"name\": \"s\"}")
            .text("/result/id");
    server.control.write(id, 0, 4096, 2);
    server.post("snapshots/" + snapshot + "/revert?wait=10s", null);
    assertThat(server.control.read(id, 0)).isEqualTo(1);
    String copy = ids("bin?kind=safety-copy").getFirst();
    assertThat(server.get("bin/" + copy).text("/vvol")).isEqualTo(volume);

    assertProblem(
        server.post("bin/" + copy + "/restore", "{\"name\": \"x\"}"), 400, "invalid-argument");
    Answer undone = server.post("bin/" + copy + "/restore", null);

    assertThat(undone.status()).as(undone.toString()).isEqualTo(200);
    assertThat(undone.text("/id")).isEqualTo(volume);
    assertThat(server.control.read(id, 0)).isEqualTo(2);
    assertThat(ids("bin?kind=safety-copy")).hasSize(2);
    assertThat(ids("snapshots")).containsExactly(snapshot);
  }

  @Test
  void theBinOfAContainerIsSwitchedAndCountsAsFree() {
    String path = "containers/" + container;
    assertProblem(server.patch(path, "{\"binTime\": \"soon\"}"), 400, "invalid-argument");
    assertProblem(server.patch(path, "{\"binTime\": \"-PT1H\"}"), 400, "invalid-argument");
    assertProblem(server.patch(path, "{\"binTime\": \"P366D\"}"), 400, "invalid-argument");
    String volume = server.volume(container, "data");
    server.control.write(VolumeId.parse(volume), 0, 1 << 20, 1);
    long free = server.get("system").number("/space/free");
    long reclaimable = server.get("system").number("/reclaimable");
    server.delete("volumes/" + volume);

    assertThat(server.get(path).number("/reclaimable")).isEqualTo(1 << 20);
    assertThat(server.get(path).number("/used")).isZero();
    assertThat(server.get("system").number("/reclaimable")).isEqualTo(reclaimable + (1 << 20));
    assertThat(server.get("system").number("/space/free")).isEqualTo(free + (1 << 20));
    assertProblem(server.delete(path), 409, "in-use");

    server.control.containers.setBinTime(UUID.fromString(container), Duration.ZERO);
    String other = server.volume(container, "other");
    server.delete("volumes/" + other);
    assertThat(ids("bin")).containsExactly(volume);
    assertThat(server.patch(path, "{\"binTime\": \"default\"}").text("/binTime"))
        .isEqualTo("PT0S"); // the setting of this server
    server.delete("bin/" + volume);
    assertThat(server.delete(path).status()).isEqualTo(204);
  }

  @Test
  void loweringATimeTakesTwoAccountsWhoeverAsksAndWhatever() {
    String path = "containers/" + container;
    for (String lower : List.of("PT0S", "PT1H", "P1DT23H59M59S", "default")) {
      String body = "{\"binTime\": \"%s\"}".formatted(lower);
      Answer refused = server.patch(path, body);
      assertProblem(refused, 400, "invalid-argument");
      assertThat(refused.text("/detail"))
          .as(lower)
          .contains("at least P2D")
          .contains("lower-bin-time");
      assertProblem(
          server.patch(path, "{\"name\": \"renamed\", \"binTime\": \"%s\"}".formatted(lower)),
          400,
          "invalid-argument");
      assertProblem(
          server.post(
              "approvals",
              "{\"action\": \"lower-bin-time\", \"value\": \"%s %s\"}".formatted(container, lower)),
          403,
          "forbidden");
    }
    assertThat(server.get(path).text("/name")).isNotEqualTo("renamed");

    agree("PT1H");

    Answer waiting = server.get(path);
    assertThat(waiting.text("/binTime")).isEqualTo("P2D");
    assertThat(waiting.text("/binTimeNext")).isEqualTo("PT1H");
    assertThat(waiting.text("/binTimeNextAt"))
        .isEqualTo(server.control.clock.instant().plus(Duration.ofDays(2)).toString());
    assertThat(server.patch(path, "{\"binTime\": \"P2D\"}").json().get("binTimeNext").isNull())
        .as("one account gives it up")
        .isTrue();
    agree("PT0S");
    server // two days pass for this container; other tests look at the clock
        .control
        .jdbc
        .sql("update container set bin_next_at = bin_next_at - interval '2 days'")
        .update();
    server.control.binRounds.lowerTimes();
    assertThat(server.get(path).text("/binTime")).isEqualTo("PT0S");
    assertThat(server.get(path).json().get("binTimeNext").isNull()).isTrue();
  }

  private void agree(String time) {
    Approvals approvals = server.bean(Approvals.class);
    UUID asked =
        approvals
            .ask("lower-bin-time", container + " " + time, new Approver(UUID.randomUUID(), "ada"))
            .id();
    approvals.approve(asked, new Approver(UUID.randomUUID(), "bert"));
  }

  @Test
  void aContainerIsMadeWithATimeOfItsOwn() {
    String body = "{\"name\": \"%s\", \"quota\": 1073741824, \"binTime\": \"%s\"}";

    assertThat(server.post("containers", body.formatted(UUID.randomUUID(), "P7D")).text("/binTime"))
        .isEqualTo("P7D");
    assertThat(
            server
                .post("containers", body.formatted(UUID.randomUUID(), "default"))
                .text("/binTime"))
        .isEqualTo("PT0S"); // the setting of this server
    assertProblem(
        server.post("containers", body.formatted(UUID.randomUUID(), "P366D")),
        400,
        "invalid-argument");
  }

  @Test
  void whatIsNoKindIsRefused() {
    assertProblem(server.get("bin?kind=thing"), 400, "invalid-argument");
    assertProblem(server.get("bin/" + UUID.randomUUID()), 404, "not-found");
  }
}

package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.NewEvent;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Virtual machines, vVols, snapshots, hosts, bindings, jobs and events.
class MachinesTest {

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// A virtual machine with one vVol of each of these types.
  private record Machine(String id, String container, Map<VolumeType, VolumeId> vvols) {
    VolumeId disk() {
      return vvols.get(VolumeType.DATA);
    }
  }

  private static Machine machine() {
    String container = server.container(UUID.randomUUID().toString());
    String id = UUID.randomUUID().toString();
    Map<VolumeType, VolumeId> vvols = new java.util.EnumMap<>(VolumeType.class);
    for (VolumeType type : List.of(VolumeType.CONFIG, VolumeType.DATA, VolumeType.SWAP)) {
      vvols.put(
          type,
          ControlPlane.made(
              server.control.volumes.create(
                  new NewVolume(
                      UUID.fromString(container),
                      type,
                      VolumeOrigin.HOST,
                      null,
                      ControlPlane.GIB,
                      Map.of("VMW_VmID", id, "VMW_VVolName", "vm " + type.text())))));
    }
    return new Machine(id, container, vvols);
  }

  @Test
  void vvolsAreFilteredByContainerMachineAndType() {
    Machine machine = machine();
    machine();

    assertThat(AdminServer.texts(server.get("vvols?container=" + machine.container()), "/id"))
        .hasSize(3);
    assertThat(AdminServer.texts(server.get("vvols?vm=" + machine.id() + "&type=Swap"), "/id"))
        .containsExactly(machine.vvols().get(VolumeType.SWAP).toString());
    assertProblem(server.get("vvols?type=Disk"), 400, "invalid-argument");
    Answer disk = server.get("vvols/" + machine.disk());
    assertThat(disk.text("/vm")).isEqualTo(machine.id());
    assertThat(disk.number("/size")).isEqualTo(ControlPlane.GIB);
    assertThat(disk.json().get("policy").isNull()).isTrue();
    assertThat(disk.json().get("compliance").isNull()).isTrue();
    assertProblem(server.get("vvols/" + UUID.randomUUID()), 404, "not-found");
  }

  @Test
  void vvolsArePagedInTheOrderOfTheirCreation() {
    Machine machine = machine();
    server.post("vvols/" + machine.disk() + "/snapshots", "{\"name\": \"in no part\"}");
    // Made at one time, as the clock stands still: then the ids decide.
    List<String> ids = machine.vvols().values().stream().map(VolumeId::toString).sorted().toList();
    String path = "vvols?limit=2&total=true&container=" + machine.container();

    Answer first = server.get(path);
    Answer rest = server.get(path + "&cursor=" + first.text("/next"));

    assertThat(AdminServer.texts(first, "/id")).isEqualTo(ids.subList(0, 2));
    assertThat(AdminServer.texts(rest, "/id")).isEqualTo(ids.subList(2, 3));
    assertThat(rest.json().get("next").isNull()).isTrue();
    assertThat(rest.number("/total")).isEqualTo(3);
    Answer swap = server.get(path + "&type=Swap");
    assertThat(AdminServer.texts(swap, "/id"))
        .containsExactly(machine.vvols().get(VolumeType.SWAP).toString());
    assertThat(swap.number("/total")).isEqualTo(1);
    String none =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("0000000000001.000001/none".getBytes(StandardCharsets.UTF_8));
    assertProblem(server.get("vvols?cursor=" + none), 400, "invalid-argument");
  }

  @Test
  void aMachineIsItsVvolsTogether() {
    Machine machine = machine();
    server.control.write(machine.disk(), 0, 1 << 20, 1);

    Answer vm = server.get("vms/" + machine.id());

    assertThat(vm.text("/name")).isEqualTo("vm Config");
    assertThat(vm.text("/container")).isEqualTo(machine.container());
    assertThat(vm.json().get("vvols").size()).isEqualTo(3);
    assertThat(vm.number("/provisioned")).isEqualTo(3 * ControlPlane.GIB);
    assertThat(vm.number("/used")).isEqualTo(1 << 20);
    assertThat(AdminServer.texts(server.get("vms?container=" + machine.container()), "/id"))
        .containsExactly(machine.id());
    assertProblem(server.get("vms/nobody"), 404, "not-found");
  }

  @Test
  void aSnapshotOfAMachineIsOneGroupWithoutSwap() {
    Machine machine = machine();

    Answer job = server.post("vms/" + machine.id() + "/snapshots", "{\"name\": \"before\"}");

    assertThat(job.status()).as(job.toString()).isEqualTo(202);
    assertThat(job.header("Location")).isEqualTo("/api/v1/jobs/" + job.text("/id"));
    assertThat(job.text("/state")).isEqualTo("success");
    assertThat(server.get("jobs/" + job.text("/id")).json()).isEqualTo(job.json());
    Answer group = server.get("snapshots?group=" + job.text("/result/group"));
    assertThat(AdminServer.texts(group, "/vvol"))
        .containsExactlyInAnyOrder(
            machine.disk().toString(), machine.vvols().get(VolumeType.CONFIG).toString());
    assertThat(AdminServer.texts(group, "/vm")).containsOnly(machine.id());
    assertThat(AdminServer.texts(group, "/name")).containsOnly("before");
    assertThat(AdminServer.texts(server.get("vms/" + machine.id() + "/snapshots"), "/id"))
        .hasSize(2);
    assertThat(server.get("vms/" + machine.id()).json().get("vvols").size()).isEqualTo(3);
  }

  @Test
  void aMachineGoesBackToASnapshotAsAWhole() {
    Machine machine = machine();
    VolumeId config = machine.vvols().get(VolumeType.CONFIG);
    VolumeId swap = machine.vvols().get(VolumeType.SWAP);
    List.of(config, machine.disk(), swap).forEach(one -> server.control.write(one, 0, 4096, 1));
    server.post("vms/" + machine.id() + "/snapshots?wait=10s", "{\"name\": \"one\"}");
    String snapshot = server.get("snapshots?vvol=" + machine.disk()).text("/items/0/id");
    List.of(config, machine.disk(), swap).forEach(one -> server.control.write(one, 0, 4096, 2));
    String path = "vms/" + machine.id() + "/revert?wait=10s";
    String body = "{\"snapshot\": \"%s\"}";

    Answer reverted = server.post(path, body.formatted(snapshot));

    assertThat(reverted.text("/state")).as(reverted.toString()).isEqualTo("success");
    assertThat(server.control.read(config, 0)).isEqualTo(1);
    assertThat(server.control.read(machine.disk(), 0)).isEqualTo(1);
    assertThat(server.control.read(swap, 0)).as("swap is of no later use").isEqualTo(2);

    assertProblem(server.post(path, "{}"), 400, "invalid-argument");
    String both = "{\"moment\": \"2026-11-27T14:32:05Z\", \"snapshot\": \"%s\"}";
    assertProblem(server.post(path, both.formatted(snapshot)), 400, "invalid-argument");
    assertProblem(server.post(path, body.formatted(machine.disk())), 409, "unrelated");
    assertProblem(server.post(path, body.formatted(UUID.randomUUID())), 404, "not-found");
    server.post("vvols/" + machine.disk() + "/snapshots?wait=10s", "{\"name\": \"alone\"}");
    String alone = server.get("snapshots?name=alone&vvol=" + machine.disk()).text("/items/0/id");
    Answer refused = server.post(path, body.formatted(alone));
    assertProblem(refused, 409, "not-supported");
    assertThat(refused.text("/detail")).contains(config + " has none of the same moment as");
  }

  @Test
  void aSnapshotIsRevertedClonedExportedAndDeleted() {
    Machine machine = machine();
    server.control.write(machine.disk(), 0, 4096, 1);
    Answer taken =
        server.post("vvols/" + machine.disk() + "/snapshots?wait=10s", "{\"name\": \"one\"}");
    assertThat(taken.status()).isEqualTo(200);
    String snapshot = taken.text("/result/id");
    server.control.write(machine.disk(), 0, 4096, 2);

    Answer reverted = server.post("snapshots/" + snapshot + "/revert?wait=1s", "{}");
    Answer cloned = server.post("snapshots/" + snapshot + "/clone?wait=1s", "{\"name\": \"c\"}");

    assertThat(reverted.text("/state")).as(reverted.toString()).isEqualTo("success");
    assertThat(server.control.read(machine.disk(), 0)).isEqualTo(1);
    VolumeId clone = VolumeId.parse(cloned.text("/result/id"));
    assertThat(server.control.read(clone, 0)).isEqualTo(1);
    assertThat(server.get("vvols/" + clone).text("/name")).isEqualTo("c");
    assertThat(server.get("vvols/" + clone).json().get("vm").isNull()).isTrue();
    String export = "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.test:q\"]}";
    assertThat(server.post("exports", export.formatted(clone)).status()).isEqualTo(201);
    Answer exported = server.post("exports", export.formatted(snapshot));
    assertThat(exported.json().get("readOnly").asBoolean()).isTrue();
    assertThat(server.get("snapshots/" + snapshot).json().get("exported").asBoolean()).isTrue();
    assertProblem(server.delete("snapshots/" + snapshot), 409, "in-use");
    server.delete("exports/" + snapshot);
    assertThat(server.delete("snapshots/" + snapshot).status()).isEqualTo(204);
    assertProblem(server.get("snapshots/" + snapshot), 404, "not-found");
  }

  @Test
  void aSnapshotIsNotWrittenToByAnExport() {
    Machine machine = machine();
    String snapshot =
        server
            .post("vvols/" + machine.disk() + "/snapshots", "{\"name\": \"ro\"}")
            .text("/result/id");

    Answer answer =
        server.post(
            "exports",
            "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.test:q\"], \"readOnly\": false}"
                .formatted(snapshot));

    assertProblem(answer, 400, "invalid-argument");
  }

  @Test
  void aSnapshotOfVcenterIsDeletedOnlyByForce() {
    Machine machine = machine();
    VolumeId snapshot = server.control.snapshot(machine.disk());

    assertThat(server.get("snapshots/" + snapshot).text("/kind")).isEqualTo("vasa");
    assertThat(server.get("snapshots/" + snapshot).text("/by")).isEqualTo("vCenter");
    assertProblem(server.delete("snapshots/" + snapshot), 409, "managed-by-vcenter");
    assertThat(server.delete("snapshots/" + snapshot + "?force=true").status()).isEqualTo(204);
  }

  @Test
  void aSnapshotSaysWhoTookIt() {
    Machine machine = machine();
    String token = server.token("vm-admin");
    String other = server.callAs(token, "GET", "me", null).text("/name");
    String path = "vvols/" + machine.disk() + "/snapshots";
    String own = server.post(path, "{\"name\": \"own\"}").text("/result/id");
    String theirs = server.callAs(token, "POST", path, "{\"name\": \"theirs\"}").text("/result/id");

    assertThat(server.get("snapshots/" + own).text("/by"))
        .isEqualTo(server.get("me").text("/name"));
    assertThat(server.get("snapshots/" + theirs).text("/by")).isEqualTo(other).isNotEmpty();
  }

  @Test
  void aBoundDiskIsNotReverted() {
    Machine machine = machine();
    String snapshot =
        server
            .post("vvols/" + machine.disk() + "/snapshots", "{\"name\": \"bound\"}")
            .text("/result/id");
    server.control.declareHost();
    server.control.luns.bind(OperationId.random(), ControlPlane.HOST, machine.disk(), Set.of());

    assertProblem(server.post("snapshots/" + snapshot + "/revert", "{}"), 409, "in-use");
    assertThat(server.get("vvols/" + machine.disk()).json().get("bound").asBoolean()).isTrue();
    Answer bound = server.get("bindings?vvol=" + machine.disk());
    assertThat(AdminServer.texts(bound, "/host")).containsExactly("host-1");
    assertThat(bound.text("/items/0/secondaryId")).startsWith("0x");
    assertThat(AdminServer.texts(server.get("bindings?host=nobody"), "/host")).isEmpty();
    assertThat(AdminServer.texts(server.get("hosts"), "/id")).contains("host-1");
    assertThat(server.get("hosts").text("/items/0/initiators/0")).startsWith("iqn.");
  }

  @Test
  void badSnapshotRequestsAreRefused() {
    Machine machine = machine();
    String path = "vvols/" + machine.disk() + "/snapshots";

    assertProblem(server.post(path, "{}"), 400, "invalid-argument");
    assertProblem(
        server.post(path, "{\"name\": \"%s\"}".formatted("n".repeat(81))), 400, "invalid-argument");
    for (String wait : List.of("soon", "61s", "-1s", "")) {
      assertProblem(
          server.post(path + "?wait=" + wait, "{\"name\": \"a\"}"), 400, "invalid-argument");
    }
    assertProblem(server.get("snapshots?kind=hourly"), 400, "invalid-argument");
    assertProblem(server.post("vms/nobody/snapshots", "{\"name\": \"a\"}"), 404, "not-found");
    assertProblem(server.get("jobs?cursor=eA"), 400, "invalid-argument");
    assertProblem(server.get("jobs/nothing"), 404, "not-found");
    assertThat(AdminServer.texts(server.get(path), "/id")).isEmpty();
  }

  @Test
  void jobsAreListedNewestFirst() {
    Machine machine = machine();
    server.control.clock.advance(java.time.Duration.ofSeconds(1));
    String first =
        server.post("vvols/" + machine.disk() + "/snapshots", "{\"name\": \"1\"}").text("/id");
    server.control.clock.advance(java.time.Duration.ofSeconds(1));
    String second =
        server.post("vvols/" + machine.disk() + "/snapshots", "{\"name\": \"2\"}").text("/id");

    Answer page = server.get("jobs?limit=1");

    assertThat(AdminServer.texts(page, "/id")).containsExactly(second);
    assertThat(AdminServer.texts(server.get("jobs?limit=1&cursor=" + page.text("/next")), "/id"))
        .containsExactly(first);
  }

  @Test
  void eventsAreReadFromTheNewestOrAfterAnId() {
    EventLog log = server.bean(EventLog.class);
    for (String object : List.of("a", "b", "c")) {
      log.append(
          NewEvent.config(ChangeKind.NEW, ObjectType.STORAGE_CONTAINER, object, "test." + object));
    }

    Answer newest = server.get("events?limit=2");
    Answer older = server.get("events?limit=1&cursor=" + newest.text("/next"));
    Answer after = server.get("events?after=" + older.number("/items/0/id"));

    assertThat(AdminServer.texts(newest, "/objectId")).containsExactly("c", "b");
    assertThat(AdminServer.texts(older, "/objectId")).containsExactly("a");
    assertThat(AdminServer.texts(after, "/objectId")).containsExactly("b", "c");
    assertThat(after.text("/items/0/change")).isEqualTo("New");
    assertProblem(server.get("events?limit=0"), 400, "invalid-argument");
    assertProblem(server.get("events?after=x"), 400, "invalid-argument");
  }
}

package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.testing.ControlPlane;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Every operation with a token of the role `volume-admin`: what it may do in its container, what
/// of other containers is hidden from it, and what it never may.
class VolumeAdminTest {

  /// What becomes of an operation.
  private enum Decision {
    /// Answered; what it shows is looked at by the tests of lists.
    OPEN,
    /// Done with an object in the token's container; with one in another, as if that were absent.
    OWN,
    /// Done in the token's container; refused in another.
    MADE_IN_OWN,
    /// Of a session, which a token is not.
    SESSION,
    /// Of an alert, which other tests make: as any absent object here.
    ALERT,
    /// Refused.
    NEVER
  }

  private static final String DECISIONS =
      """
      GET /alerts OPEN
      GET /alerts/{id} ALERT
      POST /alerts/{id}/acknowledge NEVER
      POST /alerts/{id}/mute NEVER
      POST /alerts/{id}/unmute NEVER
      GET /alert-targets NEVER
      POST /alert-targets NEVER
      GET /alert-targets/{id} NEVER
      PATCH /alert-targets/{id} NEVER
      DELETE /alert-targets/{id} NEVER
      POST /alert-targets/{id}/test NEVER
      GET /bin OPEN
      GET /bin/{id} OWN
      POST /bin/{id}/restore OWN
      DELETE /bin/{id} NEVER
      GET /approvals NEVER
      POST /approvals NEVER
      GET /approvals/{id} NEVER
      POST /approvals/{id}/approve NEVER
      POST /approvals/{id}/refuse NEVER
      GET /bindings NEVER
      GET /locks NEVER
      PATCH /locks NEVER
      GET /containers OPEN
      POST /containers NEVER
      GET /containers/{id} OWN
      PATCH /containers/{id} NEVER
      DELETE /containers/{id} NEVER
      GET /containers/{id}/history OWN
      GET /containers/{id}/forecast OWN
      GET /containers/{id}/default-policies OWN
      PUT /containers/{id}/default-policies/{type} NEVER
      DELETE /containers/{id}/default-policies/{type} NEVER
      PUT /containers/{id}/registrations NEVER
      DELETE /containers/{id}/registrations NEVER
      GET /differences OWN
      GET /differences/map OWN
      GET /events OPEN
      GET /events/stream OPEN
      GET /exports OPEN
      POST /exports OWN
      GET /exports/{vvol} OWN
      DELETE /exports/{vvol} OWN
      PUT /exports/{vvol}/groups/{id} OWN
      DELETE /exports/{vvol}/groups/{id} OWN
      PUT /exports/{vvol}/hosts/{id} OWN
      DELETE /exports/{vvol}/hosts/{id} OWN
      PUT /exports/{vvol}/initiators/{iqn} OWN
      DELETE /exports/{vvol}/initiators/{iqn} OWN
      GET /host-groups OPEN
      POST /host-groups NEVER
      GET /host-groups/{id} OPEN
      PATCH /host-groups/{id} NEVER
      DELETE /host-groups/{id} NEVER
      GET /hosts OPEN
      POST /hosts NEVER
      GET /hosts/{id} OPEN
      GET /hosts/{id}/history NEVER
      PATCH /hosts/{id} NEVER
      DELETE /hosts/{id} NEVER
      PUT /hosts/{id}/initiators/{iqn} NEVER
      DELETE /hosts/{id}/initiators/{iqn} NEVER
      GET /initiators/{name}/history NEVER
      PUT /initiators/{name}/chap NEVER
      DELETE /initiators/{name}/chap NEVER
      GET /iscsi NEVER
      GET /iscsi/sessions NEVER
      GET /iscsi/refused-logins NEVER
      POST /iscsi/portals/{number}/drain NEVER
      POST /iscsi/portals/{number}/undrain NEVER
      GET /jobs OPEN
      GET /jobs/{id} OWN
      GET /me OPEN
      PUT /me/password SESSION
      GET /session SESSION
      GET /session/sources OPEN
      POST /session SESSION
      DELETE /session SESSION
      GET /sessions NEVER
      DELETE /sessions/{id} NEVER
      GET /accounts NEVER
      POST /accounts NEVER
      GET /accounts/{id} NEVER
      PATCH /accounts/{id} NEVER
      DELETE /accounts/{id} NEVER
      GET /offloads NEVER
      GET /offloads/hosts NEVER
      GET /offloads/total NEVER
      GET /traffic/busiest NEVER
      GET /offloads/vms NEVER
      GET /openapi OPEN
      GET /orphans OPEN
      GET /policies OPEN
      POST /policies NEVER
      GET /policies/{id} OWN
      PUT /policies/{id} NEVER
      DELETE /policies/{id} NEVER
      POST /policies/{id}/preview NEVER
      POST /policies/{id}/apply NEVER
      GET /protection-groups OPEN
      POST /protection-groups OWN
      GET /protection-groups/{id} OWN
      PATCH /protection-groups/{id} OWN
      DELETE /protection-groups/{id} OWN
      POST /protection-groups/{id}/points OWN
      GET /protection-policies OPEN
      POST /protection-policies NEVER
      GET /protection-policies/{id} OPEN
      PUT /protection-policies/{id} NEVER
      DELETE /protection-policies/{id} NEVER
      POST /protection-policies/{id}/preview NEVER
      GET /recovery-points OPEN
      GET /recovery-points/{id} OWN
      DELETE /recovery-points/{id} OWN
      POST /recovery-points/{id}/lock NEVER
      GET /protocol-endpoints NEVER
      POST /protocol-endpoints NEVER
      GET /protocol-endpoints/{lun} NEVER
      DELETE /protocol-endpoints/{lun} NEVER
      POST /protocol-endpoints/{lun}/retire NEVER
      POST /protocol-endpoints/{lun}/restore NEVER
      GET /refused-clients NEVER
      GET /registrations NEVER
      GET /registrations/form NEVER
      GET /certificates NEVER
      GET /schedules NEVER
      GET /schedules/{vvol} NEVER
      PATCH /schedules/{vvol} NEVER
      GET /settings NEVER
      GET /support-bundle NEVER
      GET /search OPEN
      GET /scrub NEVER
      GET /scrub/map NEVER
      POST /scrub/start NEVER
      POST /scrub/pause NEVER
      POST /scrub/resume NEVER
      POST /snapshot-groups OWN
      GET /snapshots OPEN
      GET /snapshots/{id} OWN
      DELETE /snapshots/{id} OWN
      POST /snapshots/{id}/clone OWN
      POST /snapshots/{id}/lock NEVER
      POST /snapshots/{id}/revert OWN
      GET /snapshots/{id}/space OWN
      GET /space/freed OWN
      GET /space/reclaimable OPEN
      GET /system OPEN
      GET /system/history NEVER
      GET /system/verdict NEVER
      GET /system/forecast NEVER
      GET /audit NEVER
      GET /audit/{seq} NEVER
      GET /audit/verification NEVER
      GET /temporary-exports OPEN
      POST /temporary-exports OWN
      GET /temporary-exports/{id} OWN
      PATCH /temporary-exports/{id} OWN
      DELETE /temporary-exports/{id} OWN
      GET /tokens NEVER
      POST /tokens NEVER
      GET /tokens/{id} NEVER
      DELETE /tokens/{id} NEVER
      POST /tokens/{id}/rotate NEVER
      GET /traffic NEVER
      GET /traffic/total NEVER
      GET /version OPEN
      GET /vms NEVER
      GET /vms/{id} NEVER
      GET /vms/{id}/diagnosis NEVER
      GET /vms/{id}/history NEVER
      GET /vms/{id}/limits NEVER
      PUT /vms/{id}/limits NEVER
      GET /vms/{id}/snapshots NEVER
      GET /vms/{id}/timeline NEVER
      POST /vms/{id}/clone NEVER
      POST /vms/{id}/revert NEVER
      POST /vms/{id}/restore NEVER
      POST /vms/{id}/snapshots NEVER
      GET /volumes OPEN
      POST /volumes MADE_IN_OWN
      GET /volumes/{id} OWN
      GET /volumes/{id}/diagnosis OWN
      GET /volumes/{id}/watch OWN
      GET /volumes/{id}/timeline OWN
      POST /volumes/{id}/clone OWN
      POST /volumes/{id}/revert OWN
      GET /volumes/{id}/history OWN
      PATCH /volumes/{id} OWN
      DELETE /volumes/{id} OWN
      GET /vvols OPEN
      GET /vvols/{id} OWN
      GET /vvols/{id}/history OWN
      GET /vvols/{id}/limits OWN
      PUT /vvols/{id}/limits OWN
      GET /vvols/{id}/snapshots OWN
      POST /vvols/{id}/snapshots OWN
      GET /vvols/{id}/space OWN
      """;

  /// Operations that a vVol of a virtual machine is read by.
  private static final Set<String> READING_VVOLS =
      Set.of(
          "GET /vvols/{id}",
          "GET /vvols/{id}/history",
          "GET /volumes/{id}/history",
          "GET /vvols/{id}/limits",
          "GET /vvols/{id}/snapshots",
          "GET /vvols/{id}/space",
          "GET /snapshots/{id}",
          "GET /snapshots/{id}/space");

  private final TwoContainers two = new TwoContainers();
  private final AdminServer server = two.server;
  private final String own = two.own;
  private final String host = two.host;
  private final String group = two.group;

  @AfterEach
  void close() {
    two.close();
  }

  @Test
  void everyOperationHasADecisionAndKeepsIt() {
    Map<String, Decision> decisions = decisions();

    assertThat(described())
        .as("operations of the description, each with a decision here")
        .containsExactlyInAnyOrderElementsOf(decisions.keySet());
    TwoContainers.Objects mine = two.mine();
    decisions.forEach((operation, decision) -> check(operation, decision, mine));
  }

  private void check(String operation, Decision decision, TwoContainers.Objects mine) {
    switch (decision) {
      case OPEN -> {
        if (!operation.endsWith("/stream")) {
          assertThat(call(operation, mine).status()).as(operation).isEqualTo(200);
        }
      }
      case NEVER -> refused(operation, call(operation, mine));
      case ALERT -> assertThat(call(operation, mine).status()).as(operation).isEqualTo(404);
      case SESSION -> assertThat(call(operation, mine).status()).as(operation).isIn(400, 404);
      case MADE_IN_OWN -> {
        assertThat(call(operation, two.mine()).status()).as(operation).isEqualTo(201);
        Answer refused = call(operation, two.hidden());
        refused(operation, refused);
        assertThat(refused.text("/detail")).contains(own, "'bound'");
      }
      case OWN -> {
        TwoContainers.Objects hidden = two.hidden();
        Answer answer = call(operation, hidden);
        assertThat(answer.status()).as(operation + " " + answer).isEqualTo(404);
        TwoContainers.Objects absent =
            TwoContainers.Objects.absent(host, group, two.protectionPolicy);
        assertThat(anonymous(answer))
            .as(operation + ": hidden, and absent")
            .isEqualTo(anonymous(call(operation, absent)));
        Answer done = call(operation, two.mine());
        assertThat(done.status()).as(operation + " " + done).isBetween(200, 204);
      }
    }
  }

  static void refused(String operation, Answer answer) {
    assertThat(answer.status()).as(operation + " " + answer).isEqualTo(403);
    assertThat(answer.text("/code")).as(operation).isEqualTo("forbidden");
  }

  private static String anonymous(Answer answer) {
    return Stream.of("/code", "/detail", "/target")
        .map(answer::text)
        .collect(Collectors.joining(" ", answer.status() + " ", ""))
        .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID");
  }

  @Test
  void theVvolsOfVirtualMachinesAreReadAndNotChanged() {
    UUID disk =
        server
            .control
            .volume(
                server.control.containers.require(UUID.fromString(own)),
                ControlPlane.GIB,
                Map.of("VMW_VmID", "vm-1", "VMW_VVolName", "disk"))
            .value();
    String snapshot = two.snapshot(disk.toString());
    TwoContainers.Objects vvol =
        new TwoContainers.Objects(
            own,
            disk.toString(),
            snapshot,
            disk.toString(),
            host,
            group,
            "",
            "",
            new TwoContainers.Temporary("", ""),
            new TwoContainers.Protected("", "", "", ""));

    decisions()
        .forEach(
            (operation, decision) -> {
              if (decision == Decision.OWN && isAboutVolumes(operation)) {
                Answer answer = call(operation, vvol);
                if (READING_VVOLS.contains(operation)) {
                  assertThat(answer.status()).as(operation + " " + answer).isEqualTo(200);
                } else if (!operation.startsWith("GET")) {
                  refused(operation, answer);
                }
              }
            });
    assertThat(server.get("vvols/" + disk).text("/name")).isEqualTo("disk");
    assertThat(server.get("snapshots/" + snapshot).status()).isEqualTo(200);
  }

  private static boolean isAboutVolumes(String operation) {
    return operation.matches(".* /(volumes|vvols|snapshots|exports|snapshot-groups).*");
  }

  @Test
  void anIdInAnotherFormIsTheSameId() {
    UUID disk =
        server
            .control
            .volume(
                server.control.containers.require(UUID.fromString(own)),
                ControlPlane.GIB,
                Map.of("VMW_VmID", "vm-1"))
            .value();
    var bytes = ByteBuffer.allocate(16);
    bytes.putLong(disk.getMostSignificantBits()).putLong(disk.getLeastSignificantBits());
    String encoded = Base64.getEncoder().encodeToString(bytes.array());

    for (String id : List.of(encoded, disk.toString().toUpperCase(Locale.ROOT))) {
      Answer answer =
          two.as(
              "POST", "snapshot-groups", "{\"name\": \"x\", \"volumes\": [\"%s\"]}".formatted(id));

      refused(id, answer);
    }
  }

  /// Calls an operation about some objects.
  private Answer call(String operation, TwoContainers.Objects about) {
    String method = operation.substring(0, operation.indexOf(' '));
    String path = operation.substring(operation.indexOf(' ') + 2);
    if (path.startsWith("bin/")) {
      delete(about);
    }
    return two.as(method, filled(path, about), body(operation, about));
  }

  /// Puts the volume into the recycle bin, unless it is absent.
  private void delete(TwoContainers.Objects about) {
    for (String container : List.of(own, two.other)) {
      server.control.containers.setBinTime(UUID.fromString(container), ControlPlane.KEPT);
    }
    assertThat(server.delete("volumes/" + about.volume()).status()).isIn(204, 404);
  }

  @Test
  void aVvolInTheRecycleBinIsReadAndNotRestored() {
    VolumeId disk =
        server.control.volume(
            server.control.containers.require(UUID.fromString(own)),
            ControlPlane.GIB,
            Map.of("VMW_VmID", "vm-1"));
    server.control.containers.setBinTime(UUID.fromString(own), ControlPlane.KEPT);
    server.control.volumes.delete(disk);

    assertThat(two.as("GET", "bin/" + disk, null).status()).isEqualTo(200);
    refused("restore", two.as("POST", "bin/" + disk + "/restore", null));
    assertThat(server.get("bin/" + disk).status()).isEqualTo(200);
  }

  private static String filled(String path, TwoContainers.Objects about) {
    String id =
        switch (path.substring(0, (path + "/").indexOf('/'))) {
          case "containers" -> about.container();
          case "hosts" -> about.host();
          case "host-groups" -> about.group();
          case "jobs" -> about.job();
          case "policies" -> about.policy();
          case "protection-policies" -> about.protection().policy();
          case "protection-groups" -> about.protection().group();
          case "recovery-points" -> about.protection().point();
          case "snapshots" -> about.snapshot();
          case "temporary-exports" -> about.temporary().export();
          case "exports" -> path.contains("/groups/") ? about.group() : about.host();
          default -> about.volume();
        };
    return path.replaceAll("^differences.*", "$0?of=" + about.volume())
        .replaceAll("^search$", "search?q=" + about.volume())
        .replace("space/freed", "space/freed?ids=" + about.volume())
        .replace("space/reclaimable", "space/reclaimable?bytes=1")
        .replaceAll("\\{(id|run)}", id)
        .replace("{vvol}", about.exported())
        .replace("{iqn}", "iqn.2026-11.test:more")
        .replace("{seq}", "1")
        .replace("{name}", "iqn.2026-11.test:more")
        .replace("{type}", "Data")
        .replaceAll("\\{(lun|number)}", "1");
  }

  private String body(String operation, TwoContainers.Objects about) {
    String named = "{\"name\": \"%s\"".formatted(two.name());
    return switch (operation) {
      case "POST /volumes" ->
          named
              + ", \"size\": %d, \"container\": \"%s\"}"
                  .formatted(TwoContainers.SIZE, about.container());
      case "POST /exports" ->
          "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.test:all\"]}"
              .formatted(about.volume());
      case "POST /temporary-exports" ->
          "{\"snapshots\": [\"%s\"], \"initiators\": [\"iqn.2026-11.test:all\"]}"
              .formatted(about.snapshot());
      case "PATCH /temporary-exports/{id}" -> "{\"keepFor\": \"PT1H\"}";
      case "POST /snapshot-groups" -> named + ", \"volumes\": [\"%s\"]}".formatted(about.volume());
      case "POST /protection-groups" ->
          Protecting.group(two.name(), about.protection().policy(), about.volume());
      case "PUT /vvols/{id}/limits" -> "{\"maxIops\": 100}";
      case "POST /volumes/{id}/revert" -> "{" + two.moment();
      case "POST /volumes/{id}/clone" -> named + ", " + two.moment();
      default -> operation.startsWith("GET") || operation.startsWith("DELETE") ? null : named + "}";
    };
  }

  private static Map<String, Decision> decisions() {
    Map<String, Decision> decisions = new TreeMap<>();
    (DECISIONS + ReplicationSamples.DECISIONS)
        .lines()
        .forEach(
            line -> {
              int space = line.lastIndexOf(' ');
              decisions.put(line.substring(0, space), Decision.valueOf(line.substring(space + 1)));
            });
    return decisions;
  }

  private Set<String> described() {
    Set<String> operations = new TreeSet<>();
    var paths = server.get("openapi").json().get("paths");
    for (String path : paths.propertyNames()) {
      for (String method : paths.get(path).propertyNames()) {
        if (path.startsWith("/api/v1")) {
          operations.add(method.toUpperCase(Locale.ROOT) + " " + path.replace("/api/v1", ""));
        }
      }
    }
    return operations;
  }
}

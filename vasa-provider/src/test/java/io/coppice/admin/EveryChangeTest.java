package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.alert.AlertBoard;
import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestJournals;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Every change that REST can make: each is an event with its sentence and its actor.
class EveryChangeTest {

  private static final String INITIATOR = "iqn.2026-11.test:walker";
  private static final String PASSWORD = "correct horse battery";
  private static final String LOCK = "{\"lockFor\": \"PT1M\"}";
  private static final String OTHER = "iqn.2026-11.test:other";

  private final AdminServer server = new AdminServer();
  private final Map<String, Answer> walked = new LinkedHashMap<>();
  private String token = "";

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void everyOperationThatChangesSomethingIsAnEventWithItsActor() {
    token =
        server
            .post("tokens", "{\"name\": \"walker\", \"role\": \"admin\", \"expiresInDays\": 1}")
            .text("/token");

    String container = containers();
    String volume = volumes(container);
    exports(volume);
    snapshots(volume);
    protection(volume);
    policies(container);
    new ReplicationWalk(server, this::walk).walk(container);
    machines(container);
    bin(container);
    theRest();
    alerts();
    walk("DELETE /containers/{id}", "containers/" + walkedId("POST /containers"), null);

    assertThat(walked.keySet()).containsExactlyInAnyOrderElementsOf(changing());
  }

  /// The operation that another pool calls has no actor of ours; [PeersTest] looks at it.
  private Set<String> changing() {
    Set<String> changing = new TreeSet<>(DescribedOperations.changing(server));
    changing.remove("POST /replication/pairings");
    return changing;
  }

  private String containers() {
    String container =
        AdminServer.made(
            walk(
                "POST /containers",
                "containers",
                "{\"name\": \"walk\", \"quota\": %d}".formatted(100 * ControlPlane.GIB)));
    walk("PATCH /containers/{id}", "containers/" + container, "{\"name\": \"walked\"}");
    UUID registration = registration();
    registration(); // another one, which loses the container
    String offer = "containers/" + container + "/registrations";
    long before = server.newestEvent();
    walk(
        "PUT /containers/{id}/registrations",
        offer,
        "{\"registrations\": [\"%s\"]}".formatted(registration));
    walk("DELETE /containers/{id}/registrations", offer, null);
    assertThat(AdminServer.texts(server.get("events?after=" + before), "/sentence"))
        .as("one event for each change, however many registrations gain or lose the container")
        .containsExactly(
            "Storage container walked (%s) is offered to these registrations only: [%s]."
                .formatted(container, registration),
            "Storage container walked (%s) is offered to all registrations again."
                .formatted(container));
    return server.container("kept");
  }

  private UUID registration() {
    UUID id = UUID.randomUUID();
    server
        .control
        .jdbc
        .sql(
            """
            INSERT INTO trust_set (id, created, registered, registered_from)
            VALUES (?, now(), now(), '192.0.2.7')
            """)
        .param(id)
        .update();
    return id;
  }

  private String volumes(String container) {
    String body = "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"}";
    String gone =
        AdminServer.made(
            walk("POST /volumes", "volumes", body.formatted("gone", 1L << 30, container)));
    walk("PATCH /volumes/{id}", "volumes/" + gone, "{\"size\": %d}".formatted(2L << 30));
    walk("PATCH /volumes/{id}", "volumes/" + gone, "{\"labels\": {\"a\": \"b\"}}");
    walk("POST /volumes", "volumes", "{\"name\": \"cloned\", \"source\": \"%s\"}".formatted(gone));
    walk("PUT /vvols/{id}/limits", "vvols/" + gone + "/limits", "{\"maxIops\": 1000}");
    TestJournals.keep(server.control, gone);
    walk("POST /volumes/{id}/clone", "volumes/" + gone + "/clone", atMoment("then"));
    walk("POST /volumes/{id}/revert", "volumes/" + gone + "/revert", toMoment());
    walk("DELETE /volumes/{id}", "volumes/" + gone, null);
    return server.volume(container, "kept");
  }

  private void exports(String volume) {
    walk(
        "POST /exports",
        "exports",
        "{\"vvol\": \"%s\", \"initiators\": [\"%s\"]}".formatted(volume, INITIATOR));
    String other = "exports/" + volume + "/initiators/" + OTHER;
    walk("PUT /exports/{vvol}/initiators/{iqn}", other, null);
    walk("DELETE /exports/{vvol}/initiators/{iqn}", other, null);
    hosts(volume);
    walk("DELETE /exports/{vvol}", "exports/" + volume, null);
    temporaryExports(volume);
  }

  private void temporaryExports(String volume) {
    String snapshot =
        server
            .post("vvols/%s/snapshots?wait=10s".formatted(volume), named("looked-into"))
            .text("/result/id");
    String made =
        AdminServer.made(
            walk(
                "POST /temporary-exports",
                "temporary-exports",
                "{\"snapshots\": [\"%s\"], \"initiators\": [\"%s\"], \"writable\": true}"
                    .formatted(snapshot, INITIATOR)));
    String path = "temporary-exports/" + made;
    walk("PATCH /temporary-exports/{id}", path, "{\"keepFor\": \"PT1H\"}");
    walk("DELETE /temporary-exports/{id}", path, null);
    server.delete("snapshots/" + snapshot);
  }

  private void hosts(String volume) {
    String host =
        AdminServer.made(
            walk(
                "POST /hosts",
                "hosts",
                "{\"name\": \"node\", \"initiators\": [\"iqn.2026-11.test:node\"]}"));
    String path = "hosts/" + host;
    String export = "exports/" + volume;
    walk("PATCH /hosts/{id}", path, "{\"name\": \"node-1\"}");
    walk("PUT /exports/{vvol}/hosts/{id}", export + "/hosts/" + host, null);
    String second = path + "/initiators/iqn.2026-11.test:node-b";
    walk("PUT /hosts/{id}/initiators/{iqn}", second, null);
    walk("DELETE /hosts/{id}/initiators/{iqn}", second, null);
    walk("DELETE /exports/{vvol}/hosts/{id}", export + "/hosts/" + host, null);
    String group =
        AdminServer.made(walk("POST /host-groups", "host-groups", "{\"name\": \"cluster\"}"));
    walk(
        "PATCH /host-groups/{id}", "host-groups/" + group, "{\"hosts\": [\"%s\"]}".formatted(host));
    walk("PUT /exports/{vvol}/groups/{id}", export + "/groups/" + group, null);
    walk("DELETE /exports/{vvol}/groups/{id}", export + "/groups/" + group, null);
    walk("DELETE /host-groups/{id}", "host-groups/" + group, null);
    walk("DELETE /hosts/{id}", path, null);
  }

  private void snapshots(String volume) {
    String snapshot =
        walk("POST /vvols/{id}/snapshots", "vvols/" + volume + "/snapshots", named("first"))
            .text("/result/id");
    walk("POST /snapshots/{id}/clone", "snapshots/" + snapshot + "/clone", named("clone"));
    walk("POST /snapshots/{id}/revert", "snapshots/" + snapshot + "/revert", null);
    walk("POST /snapshots/{id}/lock", "snapshots/" + snapshot + "/lock", LOCK);
    server.control.clock.advance(Duration.ofHours(1));
    walk("DELETE /snapshots/{id}", "snapshots/" + snapshot, null);
    walk(
        "POST /snapshot-groups",
        "snapshot-groups",
        "{\"name\": \"group\", \"volumes\": [\"%s\"]}".formatted(volume));
  }

  private void protection(String volume) {
    String draft =
        """
        {"name": "%s", %s "rules": [{"name": "h", "kind": "hourly", "minute": 0, "keepCount": 3}]}
        """;
    Answer made =
        walk("POST /protection-policies", "protection-policies", draft.formatted("gold", ""));
    String policy = "protection-policies/" + AdminServer.made(made);
    walk(
        "PUT /protection-policies/{id}",
        policy,
        draft.formatted("golden", "\"generation\": %d,".formatted(made.number("/generation"))));
    String group =
        "protection-groups/"
            + AdminServer.made(
                walk(
                    "POST /protection-groups",
                    "protection-groups",
                    Protecting.group("shop", made.text("/id"), volume)));
    walk("PATCH /protection-groups/{id}", group, named("shops"));
    String point =
        AdminServer.made(
            walk("POST /protection-groups/{id}/points", group + "/points", named("now")));
    walk("POST /recovery-points/{id}/lock", "recovery-points/" + point + "/lock", LOCK);
    server.control.clock.advance(Duration.ofHours(1));
    walk("DELETE /recovery-points/{id}", "recovery-points/" + point, null);
    walk("DELETE /protection-groups/{id}", group, null);
    walk("DELETE /protection-policies/{id}", policy, null);
  }

  private void policies(String container) {
    String draft = "{\"name\": \"%s\", %s \"snapshotInterval\": \"PT1H\"}";
    Answer made = walk("POST /policies", "policies", draft.formatted("hourly", ""));
    String policy = AdminServer.made(made);
    String path = "policies/" + policy;
    walk(
        "PUT /policies/{id}",
        path,
        draft.formatted("each hour", "\"generation\": %d,".formatted(made.number("/generation"))));
    String types = "containers/" + container + "/default-policies/Data";
    walk(
        "PUT /containers/{id}/default-policies/{type}",
        types,
        "{\"policy\": \"%s\"}".formatted(policy));
    walk("DELETE /containers/{id}/default-policies/{type}", types, null);
    String scheduled =
        AdminServer.made(
            server.post(
                "volumes",
                "{\"name\": \"scheduled\", \"size\": %d, \"container\": \"%s\", \"policy\": \"%s\"}"
                    .formatted(1L << 30, container, policy)));
    walk("PATCH /schedules/{vvol}", "schedules/" + scheduled, "{\"enabled\": false}");
    server.put(path, draft.formatted("every hour", "\"generation\": 2,"));
    walk("POST /policies/{id}/apply", path + "/apply", null);
    walk("DELETE /policies/{id}", path, null);
  }

  private void machines(String container) {
    VolumeId disk =
        server.control.volume(
            server.control.containers.require(UUID.fromString(container)),
            ControlPlane.GIB,
            Map.of("VMW_VmID", "vm-1", "VMW_VVolName", "disk"));
    TestJournals.keep(server.control, disk);
    walk("POST /vms/{id}/clone", "vms/vm-1/clone", atMoment("machine"));
    walk("POST /vms/{id}/revert", "vms/vm-1/revert", toMoment());
    walk("POST /vms/{id}/snapshots", "vms/vm-1/snapshots", named("machine"));
    walk("PUT /vms/{id}/limits", "vms/vm-1/limits", "{\"maxIops\": 500}");
  }

  private void bin(String container) {
    UUID id = UUID.fromString(container);
    server.control.containers.setBinTime(id, ControlPlane.KEPT);
    String deleted = "bin/" + server.volume(container, "binned");
    server.delete(deleted.replace("bin/", "volumes/"));
    walk("POST /bin/{id}/restore", deleted + "/restore", null);
    server.delete(deleted.replace("bin/", "volumes/"));
    walk("DELETE /bin/{id}", deleted, null);
    VolumeId disk =
        server.control.volume(
            server.control.containers.require(id),
            ControlPlane.GIB,
            Map.of("VMW_VmID", "vm-2", "VMW_VVolName", "disk"));
    server.control.volumes.delete(disk);
    walk("POST /vms/{id}/restore", "vms/vm-2/restore", null);
    server.control.containers.setBinTime(id, Duration.ZERO);
  }

  private void theRest() {
    walk("POST /protocol-endpoints", "protocol-endpoints", null);
    long lun = walked.get("POST /protocol-endpoints").number("/lun");
    String endpoint = "protocol-endpoints/" + lun;
    walk("POST /protocol-endpoints/{lun}/retire", endpoint + "/retire", null);
    walk("POST /protocol-endpoints/{lun}/restore", endpoint + "/restore", null);
    server.post(endpoint + "/retire", "");
    walk("DELETE /protocol-endpoints/{lun}", endpoint, null);
    server.control.luns.declareHost(
        OperationId.random(), new HostId("host-w"), Set.of("iqn.2026-11.test:host-w"));
    walk("DELETE /hosts/{id}", "hosts/host-w", null);
    String chap = "initiators/" + INITIATOR + "/chap";
    walk("PUT /initiators/{name}/chap", chap, "{\"secret\": \"a-secret-of-16-ch\"}");
    walk("DELETE /initiators/{name}/chap", chap, null);
    walk("POST /iscsi/portals/{number}/drain", "iscsi/portals/1/drain", null);
    walk("POST /iscsi/portals/{number}/undrain", "iscsi/portals/1/undrain", null);
    walk("POST /scrub/pause", "scrub/pause", null);
    walk("POST /scrub/resume", "scrub/resume", null);
    walk("POST /scrub/start", "scrub/start", null);
    Answer issued =
        walk(
            "POST /tokens",
            "tokens",
            "{\"name\": \"issued\", \"role\": \"operator\", \"expiresInDays\": 1}");
    String issuedPath = "tokens/" + AdminServer.made(issued);
    walk("POST /tokens/{id}/rotate", issuedPath + "/rotate", "{\"graceMinutes\": 5}");
    walk("DELETE /tokens/{id}", issuedPath, null);
    accounts();
  }

  private void accounts() {
    Answer made =
        walk(
            "POST /accounts",
            "accounts",
            "{\"name\": \"walking\", \"role\": \"admin\", \"password\": \"%s\"}"
                .formatted(PASSWORD));
    String account = "accounts/" + AdminServer.made(made);
    Answer opened = sessions("POST /session", SessionHeaders.login("walking", PASSWORD), Map.of());
    Map<String, String> session = SessionHeaders.of(opened);
    approvals(session);
    String changed =
        "{\"currentPassword\": \"%s\", \"password\": \"another %s\"}".formatted(PASSWORD, PASSWORD);
    sessions("PUT /me/password", changed, session);
    sessions("DELETE /session", null, session);
    String other =
        server
            .callAs("", "POST", "session", SessionHeaders.login("walking", "another " + PASSWORD))
            .text("/id");
    walk("DELETE /sessions/{id}", "sessions/" + other, null);
    walk("PATCH /accounts/{id}", account, "{\"enabled\": false}");
    walk("DELETE /accounts/{id}", account, null);
  }

  private void approvals(Map<String, String> session) {
    server.post(
        "accounts",
        "{\"name\": \"asking\", \"role\": \"admin\", \"password\": \"%s\"}".formatted(PASSWORD));
    String[] asking =
        SessionHeaders.flat(
            SessionHeaders.of(
                server.callAs("", "POST", "session", SessionHeaders.login("asking", PASSWORD))));
    String wish = "{\"action\": \"raise-max-lock\", \"value\": \"P60D\"}";
    String own = AdminServer.made(sessions("POST /approvals", "approvals", wish, session));
    String path = "approvals/";
    sessions("POST /approvals/{id}/refuse", path + own + "/refuse", null, session);
    String other = AdminServer.made(server.callAs("", "POST", "approvals", wish, asking));
    sessions("POST /approvals/{id}/approve", path + other + "/approve", null, session);
    walk("PATCH /locks", "locks", "{\"maxLock\": \"P7D\"}");
  }

  /// Calls an operation in a session, and checks its event and its entry.
  private Answer sessions(String operation, String body, Map<String, String> headers) {
    return sessions(operation, operation.substring(operation.indexOf('/') + 1), body, headers);
  }

  private Answer sessions(String operation, String path, String body, Map<String, String> headers) {
    long before = server.newestEvent();
    String method = operation.substring(0, operation.indexOf(' '));
    Answer answer = server.callAs("", method, path, body, SessionHeaders.flat(headers));
    assertThat(answer.status()).as(operation + " " + answer).isBetween(200, 204);
    JsonNode event = server.get("events?after=" + before).json().at("/items/0");
    assertThat(event.at("/actor/name").asString()).as(operation).isEqualTo("walking");
    assertThat(event.at("/sentence").asString()).as(operation).contains("walking").endsWith(".");
    JsonNode entry = server.get("audit?limit=1").json().at("/items/0");
    assertThat(entry.at("/action").asString()).isEqualTo(operation);
    assertThat(entry.at("/actor/account").asString()).isEqualTo("walking");
    assertThat(entry.toString()).as(operation).contains("local").doesNotContain(PASSWORD);
    walked.put(operation, answer);
    return answer;
  }

  private void alerts() {
    AlertBoard board = server.bean(AlertBoard.class);
    board.take(
        "test",
        List.of(
            new AlertFinding(
                "space",
                AlertSeverity.WARNING,
                new AlertSubject("system", "pool", null, null),
                "PoolSpace",
                Map.of("percent", "85"))));
    String path = "alerts/" + board.all().getFirst().id();
    server.post(path + "/mute", "{\"until\": \"2126-11-25T00:00:00Z\"}"); // kept, which is an event
    walk("POST /alerts/{id}/acknowledge", path + "/acknowledge", "{\"note\": \"on it\"}");
    walk("POST /alerts/{id}/mute", path + "/mute", "{\"until\": \"2126-11-26T00:00:00Z\"}");
    walk("POST /alerts/{id}/unmute", path + "/unmute", null);
    String target =
        AdminServer.made(
            walk(
                "POST /alert-targets",
                "alert-targets",
                """
                {"name": "hook", "kind": "webhook", "url": "https://hooks.invalid/a-secret-path",
                 "secret": "a-secret-of-16-ch"}
                """));
    String own = "alert-targets/" + target;
    walk("PATCH /alert-targets/{id}", own, "{\"severity\": \"critical\"}");
    walk("POST /alert-targets/{id}/test", own + "/test", null);
    walk("DELETE /alert-targets/{id}", own, null);
  }

  private static String named(String name) {
    return "{\"name\": \"%s\"}".formatted(name);
  }

  private String toMoment() {
    return "{\"moment\": \"%s\"}".formatted(server.control.clock.instant());
  }

  private String atMoment(String name) {
    return toMoment().replace("}", ", \"name\": \"%s\"}".formatted(name));
  }

  private String walkedId(String operation) {
    return walked.get(operation).text("/id");
  }

  /// Calls an operation, and checks what the events say about it.
  private Answer walk(String operation, String path, String body) {
    long before = server.newestEvent();
    String method = operation.substring(0, operation.indexOf(' '));
    boolean job =
        path.matches(
            "(vvols|vms)/.*/snapshots|snapshot-groups|.*/revert|(volumes|snapshots)/.*/clone");
    Answer answer = server.callAs(token, method, path + (job ? "?wait=10s" : ""), body);
    assertThat(answer.status()).as(operation + " " + answer).isBetween(200, 204);

    JsonNode events = server.get("events?limit=1000&after=" + before).json().get("items");
    assertThat(events).as(operation).isNotEmpty();
    for (JsonNode event : events) {
      assertThat(event.at("/sentence").asString()).as(operation).doesNotContain("{").endsWith(".");
      assertThat(event.at("/sentence").asString()).as(operation).doesNotContain("io.coppice");
      assertThat(event.at("/actor/kind").asString()).as(operation).isEqualTo("rest");
      assertThat(event.at("/actor/name").asString()).as(operation).isEqualTo("walker");
      assertThat(event.at("/traceId").asString())
          .as(operation)
          .isEqualTo(answer.header("X-Trace-Id"));
    }
    audited(operation, answer);
    walked.put(operation, answer);
    return answer;
  }

  /// Checks what the audit trail says about a call.
  private void audited(String operation, Answer answer) {
    JsonNode entry = server.get("audit?limit=1").json().at("/items/0");
    assertThat(entry.at("/action").asString()).isEqualTo(operation);
    assertThat(entry.at("/actor/account").asString()).as(operation).isEqualTo("walker");
    assertThat(entry.at("/actor/token").asString()).as(operation).hasSize(36);
    assertThat(entry.at("/actor/address").asString()).as(operation).isEqualTo("127.0.0.1");
    assertThat(entry.at("/outcome").asString())
        .as(operation)
        .isEqualTo(goesOn(answer) ? "accepted" : "done");
    assertThat(entry.at("/traceId").asString()).isEqualTo(answer.header("X-Trace-Id"));
    assertThat(entry.at("/after").size() + entry.at("/changes").size()).as(operation).isPositive();
    if (operation.contains("{") || operation.matches("POST /(containers|volumes|tokens)")) {
      assertThat(entry.at("/object").asString()).as(operation).isNotEmpty().isNotEqualTo("(no id)");
    }
  }

  /// A job of REST has ended when its call is answered; what else is accepted goes on.
  private static boolean goesOn(Answer answer) {
    return answer.status() == 202 && !answer.json().at("/state").asString("").equals("success");
  }
}

package io.coppice.admin;

import static io.coppice.admin.AdminServer.made;

import io.coppice.vasa.testing.ControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One object of each kind that has a tag, and changes of it.
final class EditedObjects {

  private final AdminServer server;
  private final AtomicInteger made = new AtomicInteger();

  /// Minutes for which the last temporary export was to be kept: another number each time.
  private int minutes = 60;

  EditedObjects(AdminServer server) {
    this.server = server;
  }

  /// A change that always changes something.
  record Change(String method, String path, @Nullable String body) {}

  /// An object.
  ///
  /// @param name of its kind
  /// @param changes of the object as it was read, at least one; each excludes the others
  record Edited(String name, String path, Function<JsonNode, List<Change>> changing) {

    List<Change> changes(JsonNode read) {
      return changing.apply(read);
    }
  }

  /// The kinds, each of which makes a new object.
  List<Supplier<Edited>> kinds() {
    return List.of(
        this::container,
        this::policy,
        this::defaults,
        this::volume,
        () -> limits("vvols/" + newVolume("")),
        () -> limits("vms/" + newMachine()),
        this::schedule,
        this::host,
        this::group,
        this::export,
        this::temporaryExport,
        this::snapshot,
        this::protectionPolicy,
        this::protectionGroup,
        this::recoveryPoint,
        this::peer,
        this::replicationGroup,
        this::runbook,
        this::token,
        this::account,
        this::alertTarget);
  }

  /// A new object of each kind.
  List<Edited> all() {
    return kinds().stream().map(Supplier::get).toList();
  }

  /// The name of something new.
  String next() {
    return "edited-" + made.incrementAndGet();
  }

  private Edited container() {
    String path = "containers/" + server.container(next());
    return new Edited(
        "container",
        path,
        now ->
            List.of(
                new Change("PATCH", path, named(next())),
                new Change(
                    "PATCH",
                    path,
                    "{\"quota\": %d}".formatted(now.get("quota").asLong() + (1L << 30))),
                new Change(
                    "PATCH",
                    path,
                    "{\"binTime\": \"%s\"}"
                        .formatted(Duration.parse(now.get("binTime").asString()).plusSeconds(1))),
                new Change("DELETE", path, null)));
  }

  private Edited policy() {
    String id = newPolicy("\"maxIops\": 1000");
    String path = "policies/" + id;
    String body = "{\"name\": \"%s\", \"generation\": %d}";
    return new Edited(
        "policy",
        path,
        now -> {
          long generation = now.get("generation").asLong();
          return List.of(
              new Change("PUT", path, body.formatted(next(), generation)),
              new Change("PUT", path, body.formatted(next(), generation)),
              new Change("DELETE", path, null));
        });
  }

  private Edited alertTarget() {
    String path =
        "alert-targets/"
            + made(
                server.post(
                    "alert-targets",
                    """
                    {"name": "%s", "kind": "webhook", "url": "https://hooks.invalid/",
                     "secret": "a-secret-of-16-ch"}
                    """
                        .formatted(next())));
    return new Edited(
        "alert target",
        path,
        _ ->
            List.of(
                new Change("PATCH", path, named(next())),
                new Change("PATCH", path, "{\"secret\": \"a-secret-of-16-%s\"}".formatted(next())),
                new Change("DELETE", path, null)));
  }

  private Edited defaults() {
    String path = "containers/" + server.container(next()) + "/default-policies";
    String first = newPolicy("\"maxIops\": 1000");
    String second = newPolicy("\"maxIops\": 2000");
    return new Edited(
        "default policies",
        path,
        now ->
            List.of(
                setDefault(
                    path, "Data", now.path("Data").asString("").equals(first) ? second : first),
                setDefault(
                    path, "Swap", now.path("Swap").asString("").equals(first) ? second : first)));
  }

  private static Change setDefault(String path, String type, String policy) {
    return new Change("PUT", path + "/" + type, "{\"policy\": \"%s\"}".formatted(policy));
  }

  private Edited volume() {
    String path = "volumes/" + newVolume("");
    return new Edited(
        "volume",
        path,
        now ->
            List.of(
                new Change("PATCH", path, named(next())),
                new Change(
                    "PATCH",
                    path,
                    "{\"size\": %d}".formatted(now.get("size").asLong() + (1L << 20))),
                new Change("DELETE", path, null)));
  }

  private Edited limits(String of) {
    String path = of + "/limits";
    return new Edited(
        "limits of " + of.substring(0, of.indexOf('/')),
        path,
        now -> {
          long iops = Math.max(1000, now.path("maxIops").asLong(0));
          return List.of(
              new Change("PUT", path, "{\"maxIops\": %d}".formatted(iops + 1)),
              new Change("PUT", path, "{\"maxIops\": %d}".formatted(iops + 2)));
        });
  }

  private Edited peer() {
    String path = "replication/peers/" + PeersTest.pair(server, next());
    String body = "{\"address\": \"%s:9444\"}";
    return new Edited(
        "peer",
        path,
        _ ->
            List.of(
                new Change("PATCH", path, body.formatted(next())),
                new Change("PATCH", path, body.formatted(next())),
                new Change("DELETE", path, null)));
  }

  private Edited runbook() {
    String path = "replication/runbooks/" + ReplicationSamples.runbooks(server);
    for (JsonNode other : server.get("replication/runbooks").json().get("items")) {
      if (!path.endsWith(other.get("id").asString())) {
        server.delete("replication/runbooks/" + other.get("id").asString());
      }
    }
    server.patch(path, named(next()));
    return new Edited(
        "runbook",
        path,
        _ ->
            List.of(
                new Change("PATCH", path, named(next())),
                new Change("PATCH", path, named(next())),
                new Change("DELETE", path, null)));
  }

  private Edited replicationGroup() {
    String path =
        "replication/groups/"
            + made(
                server.post(
                    "replication/groups",
                    """
                    {"name": "%s", "peer": "%s", "interval": "PT1H",
                     "members": [{"volume": "%s"}], "paused": true}
                    """
                        .formatted(next(), PeersTest.pair(server, next()), newVolume(""))));
    return new Edited(
        "replication group",
        path,
        _ ->
            List.of(
                new Change("PATCH", path, named(next())),
                new Change("PATCH", path, named(next())),
                new Change("DELETE", path, null)));
  }

  private Edited temporaryExport() {
    String snapshot =
        server
            .post(
                "vvols/" + newVolume("") + "/snapshots?wait=10s",
                "{\"name\": \"%s\"}".formatted(next()))
            .text("/result/id");
    String path =
        "temporary-exports/"
            + made(
                server.post(
                    "temporary-exports",
                    "{\"snapshots\": [\"%s\"], \"initiators\": [\"iqn.2026-11.test:t\"]}"
                        .formatted(snapshot)));
    return new Edited(
        "temporary export",
        path,
        _ ->
            List.of(
                new Change("PATCH", path, "{\"keepFor\": \"PT%dM\"}".formatted(++minutes)),
                new Change("PATCH", path, "{\"keepFor\": \"PT%dM\"}".formatted(++minutes)),
                new Change("DELETE", path, null)));
  }

  private Edited schedule() {
    String policy = newPolicy("\"snapshotInterval\": \"PT1H\", \"snapshotRetention\": \"P1D\"");
    String path = "schedules/" + newVolume(", \"policy\": \"%s\"".formatted(policy));
    return new Edited(
        "schedule",
        path,
        now ->
            List.of(
                new Change(
                    "PATCH", path, "{\"enabled\": %b}".formatted(!now.get("enabled").asBoolean())),
                new Change(
                    "PATCH",
                    path,
                    "{\"retentionEnabled\": %b}"
                        .formatted(!now.get("retentionEnabled").asBoolean()))));
  }

  private Edited host() {
    String path = "hosts/" + newHost();
    String initiators = "{\"initiators\": [\"iqn.2026-11.made:%s\"]}";
    return new Edited(
        "host",
        path,
        _ ->
            List.of(
                new Change("PATCH", path, named(next())),
                new Change("PATCH", path, initiators.formatted(next())),
                new Change("DELETE", path, null)));
  }

  private Edited group() {
    String path = "host-groups/" + made(server.post("host-groups", named(next())));
    String host = newHost();
    return new Edited(
        "host group",
        path,
        now ->
            List.of(
                new Change("PATCH", path, named(next())),
                new Change(
                    "PATCH",
                    path,
                    now.get("hosts").isEmpty()
                        ? "{\"hosts\": [\"%s\"]}".formatted(host)
                        : "{\"hosts\": []}"),
                new Change("DELETE", path, null)));
  }

  private Edited export() {
    String volume = newVolume("");
    server.post(
        "exports",
        "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.made:%s\"]}".formatted(volume, next()));
    String path = "exports/" + volume;
    return new Edited("export", path, _ -> List.of(new Change("DELETE", path, null)));
  }

  private Edited snapshot() {
    String snapshots = "vvols/" + newVolume("") + "/snapshots?wait=10s";
    String path = "snapshots/" + server.post(snapshots, named(next())).text("/result/id");
    return new Edited("snapshot", path, _ -> List.of(new Change("DELETE", path, null)));
  }

  private Edited protectionPolicy() {
    String path = "protection-policies/" + Protecting.policy(server, next());
    String body =
        """
        {"name": "%s", "generation": %d,
         "rules": [{"name": "h", "kind": "hourly", "minute": 5, "keepCount": 3}],
         "continuous": [{"every": "PT5S", "keepFor": "PT1H"}]}
        """;
    return new Edited(
        "protection policy",
        path,
        now -> {
          long generation = now.get("generation").asLong();
          return List.of(
              new Change("PUT", path, body.formatted(next(), generation)),
              new Change("PUT", path, body.formatted(next(), generation)),
              new Change("DELETE", path, null));
        });
  }

  private Edited protectionGroup() {
    String path = "protection-groups/" + newProtectionGroup();
    String member = newVolume("");
    return new Edited(
        "protection group",
        path,
        now ->
            List.of(
                new Change("PATCH", path, named(next())),
                new Change(
                    "PATCH",
                    path,
                    now.at("/members").size() > 1
                        ? "{\"members\": [{\"volume\": \"%s\"}]}".formatted(member)
                        : "{\"members\": [{\"volume\": \"%s\"}, {\"volume\": \"%s\"}]}"
                            .formatted(member, newVolume(""))),
                new Change("DELETE", path, null)));
  }

  private Edited recoveryPoint() {
    String path = "recovery-points/" + Protecting.point(server, newProtectionGroup(), next());
    return new Edited("recovery point", path, _ -> List.of(new Change("DELETE", path, null)));
  }

  private String newProtectionGroup() {
    return Protecting.group(server, next(), Protecting.policy(server, next()), newVolume(""));
  }

  private Edited token() {
    String body = "{\"name\": \"%s\", \"role\": \"operator\", \"expiresInDays\": 1}";
    String path = "tokens/" + made(server.post("tokens", body.formatted(next())));
    return new Edited("token", path, _ -> List.of(new Change("DELETE", path, null)));
  }

  private Edited account() {
    String body =
        "{\"name\": \"%s\", \"role\": \"operator\", \"password\": \"correct horse battery\"}";
    String path = "accounts/" + made(server.post("accounts", body.formatted(next())));
    return new Edited(
        "account",
        path,
        now ->
            List.of(
                new Change(
                    "PATCH", path, "{\"enabled\": %b}".formatted(!now.get("enabled").asBoolean())),
                new Change(
                    "PATCH",
                    path,
                    "{\"role\": \"%s\"}"
                        .formatted(
                            now.get("role").asString().equals("admin") ? "operator" : "admin")),
                new Change("PATCH", path, "{\"password\": \"staple battery horse\"}"),
                new Change("DELETE", path, null)));
  }

  private String newVolume(String fields) {
    return made(
        server.post(
            "volumes",
            "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"%s}"
                .formatted(next(), ControlPlane.GIB, server.container(next()), fields)));
  }

  private String newMachine() {
    String machine = UUID.randomUUID().toString();
    server.control.volume(
        server.control.container(machine), ControlPlane.GIB, Map.of("VMW_VmID", machine));
    return machine;
  }

  private String newPolicy(String fields) {
    return made(server.post("policies", "{\"name\": \"%s\", %s}".formatted(next(), fields)));
  }

  private String newHost() {
    String name = next();
    return made(
        server.post(
            "hosts",
            "{\"name\": \"%s\", \"initiators\": [\"iqn.2026-11.made:%s\"]}".formatted(name, name)));
  }

  private static String named(String name) {
    return "{\"name\": \"%s\"}".formatted(name);
  }
}

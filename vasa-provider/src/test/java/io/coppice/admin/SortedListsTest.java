package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.admin.request.ApiFilter;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.alert.AlertBoard;
import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.approval.Approvals;
import io.coppice.vasa.approval.Approver;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.session.RefusedClients;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Every list of the API's description, in every order that the description promises. The lists
/// have items with equal keys and, where there are such, without a value.
class SortedListsTest {

  private static final List<String> NAMES = List.of("b", "a", "a", "Z", "\u00e4", "b b", "a");
  private static AdminServer server;
  private static StorageContainer container;
  private static VolumeId disk;
  private static String replicated; // a group
  private static String runbook;

  @BeforeAll
  static void start() throws Exception {
    server = new AdminServer();
    container = server.control.container("sorted");
    List<VolumeId> disks = machines();
    disk = disks.getFirst();
    plainVolumes();
    snapshots();
    bin();
    hosts(disks);
    policies();
    protection();
    replicated = ReplicationSamples.fill(server, container.id().toString());
    runbook = ReplicationSamples.runbooks(server);
    access();
    OffloadsTest.someOffloads(server, disks);
    rows(disks);
    alerts();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// Seven disks of three machines, two of them equal in all that is sorted by; the last machine
  /// has no name and its disk none either.
  private static List<VolumeId> machines() {
    List<VolumeId> disks = new ArrayList<>();
    for (int i = 0; i < NAMES.size(); i++) {
      if (i % 3 == 0) {
        server.control.clock.advance(Duration.ofSeconds(1));
      }
      String machine = "vm-" + i % 3;
      disks.add(
          vvol(
              VolumeType.DATA,
              1 + i % 2,
              Map.of("VMW_VmID", machine, "VMW_VVolName", NAMES.get(i))));
    }
    vvol(VolumeType.CONFIG, 1, Map.of("VMW_VmID", "vm-0", "VMW_VVolName", "web"));
    vvol(VolumeType.CONFIG, 1, Map.of("VMW_VmID", "vm-1", "VMW_VVolName", "web"));
    vvol(VolumeType.DATA, 2, Map.of("VMW_VmID", "vm-3"));
    vvol(VolumeType.SWAP, 1, Map.of("VMW_VVolName", "lost"));
    return disks;
  }

  private static VolumeId vvol(VolumeType type, int gibibytes, Map<String, String> metadata) {
    return ControlPlane.made(
        server.control.volumes.create(
            new NewVolume(
                container.id(),
                type,
                VolumeOrigin.HOST,
                null,
                gibibytes * ControlPlane.GIB,
                metadata)));
  }

  private static void plainVolumes() {
    for (String name : List.of("n", "m", "N", "o", "\u4e16", "l".repeat(80))) {
      server.volume(container.id().toString(), name);
    }
    List.of("another", "third", "fourth").forEach(server::container);
  }

  private static void snapshots() {
    for (String name : NAMES) {
      String body = "{\"name\": \"%s\"}".formatted(name);
      assertThat(server.post("vvols/" + disk + "/snapshots?wait=10s", body).status())
          .isEqualTo(200);
    }
    assertThat(server.post("vms/vm-0/snapshots?wait=10s", "{\"name\": \"a\"}").status())
        .isEqualTo(200);
    for (JsonNode snapshot : server.get("snapshots?limit=3").json().get("items")) {
      String body = "{\"snapshots\": [\"%s\"], \"initiators\": [\"iqn.2026-11.test:look\"]}";
      assertThat(
              server
                  .post("temporary-exports", body.formatted(snapshot.get("id").asString()))
                  .status())
          .isEqualTo(201);
    }
  }

  /// Seven deleted volumes, some of them at one time, of which one keeps no name.
  private static void bin() {
    StorageContainer deleting = server.control.container("deleting");
    server.control.containers.setBinTime(deleting.id(), ControlPlane.KEPT);
    for (int i = 0; i < NAMES.size(); i++) {
      Map<String, String> metadata = i == 4 ? Map.of() : Map.of("VMW_VVolName", NAMES.get(i));
      VolumeId one = server.control.volume(deleting, (1 + i % 2) * ControlPlane.GIB, metadata);
      if (i % 3 == 0) {
        server.control.clock.advance(Duration.ofSeconds(1));
      }
      server.control.volumes.delete(one);
    }
  }

  private static void hosts(List<VolumeId> disks) {
    for (int i = 0; i < 3; i++) {
      server.post(
          "hosts",
          "{\"name\": \"host %d\", \"initiators\": [\"iqn.2026-11.test:plain-%d\"]}"
              .formatted(9 - i, i));
      server.post("host-groups", "{\"name\": \"group %d\"}".formatted(9 - i));
      HostId esx = new HostId("esx-" + i);
      String iqn = "iqn.2026-11.test:esx-" + i;
      server.control.luns.declareHost(OperationId.random(), esx, Set.of(iqn));
      server.control.luns.bind(OperationId.random(), esx, disks.get(5), Set.of());
      server.control.luns.bind(OperationId.random(), esx, disks.get(6), Set.of());
      server.post("protocol-endpoints", null);
    }
  }

  private static void policies() {
    for (String name : List.of("silver", "gold", "bronze", "Gold")) {
      assertThat(server.post("policies", "{\"name\": \"%s\"}".formatted(name)).status())
          .isEqualTo(201);
    }
  }

  private static void protection() {
    String policy = "";
    for (String name : List.of("silver", "gold", "bronze", "Gold")) {
      policy = Protecting.policy(server, name);
    }
    for (String name : List.of("shop", "mail", "Shop")) {
      String volume = server.volume(container.id().toString(), "protected " + name);
      String group = Protecting.group(server, name, policy, volume);
      for (String point : List.of("b", "a", "b")) {
        Protecting.point(server, group, point);
      }
      server.control.clock.advance(Duration.ofSeconds(1));
    }
  }

  private static void access() {
    server.token("operator");
    server.token("operator");
    server.token("admin");
    String body = "{\"name\": \"%s\", \"password\": \"correct horse battery\"%s}";
    for (String name : List.of("berta", "anna", "carla")) {
      server.post("accounts", body.formatted(name, ", \"role\": \"operator\""));
      server
          .bean(Approvals.class)
          .ask("raise-max-lock", "P60D", new Approver(UUID.randomUUID(), "asking"));
    }
    for (String name : List.of("berta", "anna", "berta")) {
      assertThat(server.callAs("", "POST", "session", body.formatted(name, "")).status())
          .isEqualTo(201);
    }
    RefusedClients refused = server.bean(RefusedClients.class);
    for (int i = 0; i < 4; i++) {
      refused.brokenOff("192.0.2.%d".formatted(9 - i), "unknown_ca");
      if (i == 1) {
        server.control.clock.advance(Duration.ofSeconds(1));
        refused.brokenOff("192.0.2.9", "unknown_ca");
      }
    }
    for (String address : List.of("192.0.2.7", "192.0.2.6", "192.0.2.7")) {
      server
          .control
          .jdbc
          .sql(
              "insert into trust_set (id, created, registered, registered_from)"
                  + " values (gen_random_uuid(), now(), now(), :address)")
          .param("address", address)
          .update();
    }
  }

  private static void alerts() {
    for (String name : List.of("ops", "Ops", "night")) {
      String body =
          """
          {"name": "%s", "kind": "mail", "server": "mail.invalid:25", "from": "a@example.com",
           "to": ["b@example.com"]}
          """;
      assertThat(server.post("alert-targets", body.formatted(name)).status()).isEqualTo(201);
    }
    AlertBoard board = server.bean(AlertBoard.class);
    for (int i = 0; i < 3; i++) {
      AlertFinding finding =
          new AlertFinding(
              "space-" + i,
              i == 1 ? AlertSeverity.CRITICAL : AlertSeverity.WARNING,
              new AlertSubject("system", "pool", null, null),
              "PoolSpace",
              Map.of("percent", "85"));
      board.take("source-" + i, List.of(finding));
      server.control.clock.advance(Duration.ofSeconds(i));
    }
  }

  /// Schedules and a job that runs.
  private static void rows(List<VolumeId> disks) {
    for (int i = 0; i < 5; i++) {
      server
          .control
          .jdbc
          .sql(
              "insert into snapshot_schedule (volume_id, interval_s, since, next_run)"
                  + " values (:id, :interval, now(), timestamptz '2100-01-01 00:00:00Z')")
          .param("id", disks.get(i).value())
          .param("interval", i % 2 == 0 ? 36_000 : 7200)
          .update();
    }
    server
        .control
        .jdbc
        .sql(
            "insert into task (id, name, state, started_at)"
                + " values ('b:1', 'b', 'RUNNING', now()), ('a:1', 'a', 'RUNNING', now())")
        .update();
  }

  /// All operations that take a cursor, except for events, differences and moments: these have an
  /// order of their own.
  static List<ListedPath> lists() {
    Map<String, ListedPath> lists = new TreeMap<>();
    try (AdminServer own = server == null ? new AdminServer() : null) {
      JsonNode paths = (own == null ? server : own).get("openapi").json().get("paths");
      for (String path : paths.propertyNames()) {
        JsonNode parameters = paths.at("/" + path.replace("/", "~1") + "/get/parameters");
        Map<String, JsonNode> schemas = new LinkedHashMap<>();
        parameters
            .valueStream()
            .filter(one -> one.path("in").asString().equals("query"))
            .forEach(one -> schemas.put(one.get("name").asString(), one.get("schema")));
        boolean ownOrder = path.matches(".*/(events|differences.*|timeline)");
        if (schemas.containsKey("cursor") && !ownOrder) {
          JsonNode sort = schemas.get("sort");
          assertThat(sort).as(path).isNotNull();
          lists.put(
              path,
              new ListedPath(
                  path.substring(ApiFilter.ROOT.length() + 1),
                  sort.get("enum").valueStream().map(JsonNode::asString).toList(),
                  sort.get("default").asString(),
                  schemas.keySet()));
        }
      }
    }
    assertThat(lists).hasSizeGreaterThan(20);
    return List.copyOf(lists.values());
  }

  private static String real(ListedPath list) {
    return list.path()
        .replace("vvols/{id}", "vvols/" + disk)
        .replace("vms/{id}", "vms/vm-0")
        .replace("groups/{id}", "groups/" + replicated)
        .replace("runbooks/{id}", "runbooks/" + runbook);
  }

  @ParameterizedTest
  @MethodSource("lists")
  void everyOrderShowsEveryItemOnce(ListedPath list) {
    Set<String> all = texts(walk(real(list) + "?limit=1000"));
    assertThat(all).hasSizeGreaterThanOrEqualTo(2);
    for (String field : list.fields()) {
      List<JsonNode> rising = walk(real(list) + "?limit=2&sort=" + field);
      List<JsonNode> falling = walk(real(list) + "?limit=2&sort=-" + field);
      assertThat(rising).as(field).hasSameSizeAs(all);
      assertThat(texts(rising)).as(field).isEqualTo(all);
      assertThat(rising.stream().map(item -> SortedValue.of(item, field)).toList())
          .as(field)
          .isSortedAccordingTo(SortedValue.SMALLEST_WITHOUT);
      assertThat(falling).as("-" + field).isEqualTo(rising.reversed());
    }
    assertThat(walk(real(list) + "?limit=2"))
        .as("the usual order")
        .isEqualTo(walk(real(list) + "?limit=3&sort=" + list.usual()));
    assertThat(server.get(real(list) + "?limit=1&total=true").number("/total"))
        .isEqualTo(all.size());
  }

  @ParameterizedTest
  @MethodSource("lists")
  void aNameChoosesTheItemsThatHaveIt(ListedPath list) {
    List<JsonNode> all = walk(real(list) + "?limit=1000");
    boolean named = all.getFirst().has("name");
    assertThat(list.parameters().contains("name")).isEqualTo(named);
    if (named) {
      String name =
          all.stream()
              .map(item -> item.get("name").asString(""))
              .filter(one -> one.matches("[a-zA-Z]+"))
              .findFirst()
              .orElse("host 9");
      Set<String> expected =
          texts(all.stream().filter(item -> item.get("name").asString("").equals(name)).toList());
      String chosen = real(list) + "?name=" + name.replace(" ", "%20") + "&total=true";

      assertThat(texts(walk(chosen + "&limit=2&sort=-name"))).isEqualTo(expected);
      assertThat(server.get(chosen).number("/total")).isEqualTo(expected.size());
      assertThat(walk(real(list) + "?name=nobody%20is%20called%20so")).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("lists")
  void whatIsNoOrderIsRefusedWithThoseThatAre(ListedPath list) {
    for (String sort :
        List.of(
            "nothing",
            "-",
            "--" + list.fields().getFirst(),
            list.fields().getFirst() + ",id",
            list.fields().getFirst().toUpperCase(Locale.ROOT),
            "%2B" + list.fields().getFirst(),
            "id;drop%20table%20volume",
            "x".repeat(500))) {
      Answer refused = server.get(real(list) + "?sort=" + sort);

      assertProblem(refused, 400, "invalid-argument");
      assertThat(refused.text("/target")).isEqualTo("sort");
      assertThat(refused.text("/detail"))
          .startsWith(
              "expected one of %s, each also with a leading -, got '"
                  .formatted(String.join(", ", list.fields())))
          .hasSizeLessThan(300);
    }
  }

  @ParameterizedTest
  @MethodSource("lists")
  void aCursorOfAnotherOrderIsRefused(ListedPath list) {
    String field = list.fields().getLast();
    Answer first = server.get(real(list) + "?limit=1&sort=" + field);
    Set<String> others = new LinkedHashSet<>(List.of("-" + field, list.fields().getFirst()));
    others.remove(field); // of a list with one field
    for (String other : others) {
      Answer refused = server.get(real(list) + "?sort=" + other + "&cursor=" + first.text("/next"));

      assertProblem(refused, 400, "invalid-argument");
      assertThat(refused.text("/target")).isEqualTo("cursor");
      assertThat(refused.text("/detail")).contains("sorted by " + other).contains(field);
    }
  }

  /// A forged place is refused, or it is a place.
  @ParameterizedTest
  @MethodSource("lists")
  void aForgedCursorIsNoErrorOfTheServer(ListedPath list) {
    for (String sort : list.sorts()) {
      for (String place :
          List.of(
              "/0/",
              "/3/abc",
              "/1000000/abc",
              "/99999999999999999999/abc",
              "/-1/abc",
              "/0/' or true; drop table volume; --",
              "/4/''''" + UUID.randomUUID(),
              "/19/9999999999999999999" + UUID.randomUUID(),
              "/20/9999999999999.000000" + UUID.randomUUID(),
              "/20/0000000000000.00000x" + UUID.randomUUID(),
              "/0/" + UUID.randomUUID(),
              "/0/a\0b")) {
        String cursor =
            Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((sort + place).getBytes(StandardCharsets.UTF_8));
        Answer answer = server.get(real(list) + "?limit=1&sort=" + sort + "&cursor=" + cursor);

        assertThat(answer.status()).as(sort + place + answer).isIn(200, 400);
        if (answer.status() == 400) {
          assertThat(answer.text("/target")).isEqualTo("cursor");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"name", "-name", "size", "-size", "created", "-created"})
  void itemsThatComeAndGoNeitherHideNorRepeatOthers(String sort) {
    String own = server.container("moving " + sort);
    List<String> stay = new ArrayList<>();
    List<String> go = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      (i % 2 == 0 ? stay : go).add(server.volume(own, "disk " + i));
    }
    String list = "volumes?limit=2&container=%s&sort=%s".formatted(own, sort);
    List<String> seen = new ArrayList<>();
    String next = "";
    do {
      Answer part = server.get(list + next);
      seen.addAll(AdminServer.texts(part, "/id"));
      next = part.text("/next").isEmpty() ? "" : "&cursor=" + part.text("/next");
      if (!go.isEmpty()) {
        server.delete("volumes/" + go.removeFirst());
        server.volume(own, "a came " + go.size());
        server.volume(own, "z came " + go.size());
      }
    } while (!next.isEmpty());

    assertThat(seen).doesNotHaveDuplicates().containsAll(stay);
  }

  @Test
  void aNameIsSortedByItsFirst200CharactersAndFollowsARename() {
    String own = server.container("names");
    String last = server.volume(own, "x");
    String first = server.volume(own, "y");
    String list = "volumes?sort=name&container=" + own;
    assertThat(AdminServer.texts(server.get(list), "/id")).containsExactly(last, first);

    assertThat(server.patch("volumes/" + first, "{\"name\": \"a\"}").status()).isEqualTo(200);

    assertThat(AdminServer.texts(server.get(list), "/id")).containsExactly(first, last);
    String start = "\ud83d\ude00".repeat(200);
    for (String end : List.of("b", "a", "c")) {
      vvol(VolumeType.DATA, 1, Map.of("VMW_VmID", "vm-long", "VMW_VVolName", start + end));
    }
    assertThat(walk("vvols?limit=1&sort=-name&container=" + container.id()))
        .hasSameSizeAs(walk("vvols?limit=1000&container=" + container.id()));
    server.control.volumes.updateMetadata(disk, Map.of(), Set.of("VMW_VVolName"));
    assertThat(
            walk("vvols?limit=1000&sort=name&container=" + container.id()).stream()
                .limit(2)
                .map(item -> item.get("name").isNull()))
        .as("without a name")
        .containsOnly(true);
    server.control.volumes.updateMetadata(disk, Map.of("VMW_VVolName", "b"), Set.of());
  }

  private static List<JsonNode> walk(String list) {
    List<JsonNode> items = new ArrayList<>();
    String page = list;
    while (!page.isEmpty()) {
      Answer answer = server.get(page);
      assertThat(answer.status()).as(page + answer).isEqualTo(200);
      answer.json().get("items").forEach(items::add);
      String next = answer.json().get("next").asString("");
      page = next.isEmpty() ? "" : list + "&cursor=" + next;
    }
    return items;
  }

  private static Set<String> texts(List<JsonNode> items) {
    Set<String> texts = new HashSet<>();
    items.forEach(item -> texts.add(item.toString()));
    return texts;
  }
}

package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Volumes made from others by one request, and labels by which they are found.
class LabelsAndClonesTest {

  private static final long GIB = ControlPlane.GIB;

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  // ---- clones

  @Test
  void aCloneHasTheContentSizeAndContainerOfItsSource() {
    String container = server.container("like its source");
    String source = server.volume(container, "source");
    server.control.write(id(source), 0, 4096, 7);
    long used = server.get("containers/" + container).number("/used");
    int volumes = server.control.engine.list().size();

    Answer made = clone(source, "copy", "");
    server.control.write(id(source), 0, 4096, 8);

    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    assertThat(made.number("/size")).isEqualTo(GIB);
    assertThat(made.text("/container")).isEqualTo(container);
    assertThat(made.text("/type")).isEqualTo("Other");
    assertThat(server.control.read(id(AdminServer.made(made)), 0)).isEqualTo(7);
    assertThat(server.control.engine.list()).as("no snapshot stays").hasSize(volumes + 1);
    assertThat(server.get("containers/" + container).number("/used")).isLessThan(used + 65_536);
  }

  @Test
  void aCloneOfASnapshotMayBeLargerElsewhereWithLabels() {
    String source = server.volume(server.container("source of larger"), "source");
    String elsewhere = server.container("elsewhere");
    server.control.write(id(source), 0, 4096, 7);
    String snapshot = snapshot(source, "{\"name\": \"now\"}");
    server.control.write(id(source), 0, 4096, 8);

    Answer made =
        clone(
            snapshot,
            "larger",
            ", \"size\": %d, \"container\": \"%s\", \"labels\": {\"csi/pv\": \"1\"}"
                .formatted(3 * GIB, elsewhere));
    server.delete("snapshots/" + snapshot);
    server.delete("volumes/" + source);

    assertThat(made.number("/size")).isEqualTo(3 * GIB);
    Answer clone = server.get("volumes/" + AdminServer.made(made));
    assertThat(clone.number("/size")).isEqualTo(3 * GIB);
    assertThat(clone.text("/container")).isEqualTo(elsewhere);
    assertThat(clone.text("/labels/csi~1pv")).isEqualTo("1");
    assertThat(server.control.read(id(clone.text("/id")), 0)).isEqualTo(7);
    String path = "volumes/" + clone.text("/id");
    assertThat(server.patch(path, "{\"name\": \"renamed\"}").status()).isEqualTo(200);
    assertThat(server.delete(path).status()).isEqualTo(204);
  }

  @Test
  void aDiskOfAVirtualMachineBecomesAPlainVolume() {
    String container = server.container("adopted");
    VolumeId disk =
        server.control.volume(
            server.control.containers.require(UUID.fromString(container)),
            GIB,
            Map.of("VMW_VmID", "vm-9", "VMW_VVolType", "Data"));

    Answer made = clone("" + disk, "adopted", "");

    assertThat(made.json().get("vm").isNull()).isTrue();
    assertThat(server.get("volumes/" + AdminServer.made(made)).status()).isEqualTo(200);
  }

  @Test
  void whatIsNoDiskIsNoSource() {
    String container = server.container("no disks");
    for (VolumeType type : List.of(VolumeType.CONFIG, VolumeType.SWAP, VolumeType.MEMORY)) {
      VolumeId volume =
          ControlPlane.made(
              server.control.volumes.create(
                  new NewVolume(
                      UUID.fromString(container),
                      type,
                      VolumeOrigin.HOST,
                      null,
                      GIB,
                      Map.of("a", "b"))));

      Answer refused = clone("" + volume, "no disk", "");

      assertProblem(refused, 409, "not-a-disk");
      assertThat(refused.text("/target")).isEqualTo("source");
      assertThat(refused.text("/detail")).contains(type.text());
    }
    assertThat(AdminServer.texts(server.get("volumes?container=" + container), "/id")).isEmpty();
  }

  @Test
  void whatIsWrongWithACloneIsSaidAndNothingIsMade() {
    String container = server.container("refused");
    String source = server.volume(container, "source");
    String elsewhere =
        AdminServer.made(
            server.post("containers", "{\"name\": \"full\", \"quota\": %d}".formatted(GIB / 2)));
    int before = server.control.engine.list().size();

    Answer smaller = clone(source, "a", ", \"size\": %d".formatted(GIB / 2));
    assertProblem(smaller, 400, "invalid-argument");
    assertThat(smaller.text("/target")).isEqualTo("size");
    assertThat(smaller.text("/detail")).contains("" + GIB, "" + GIB / 2);
    assertRefused(clone(source, "a", ", \"size\": %d".formatted(GIB + 1)), 400, "size");
    assertRefused(clone(source, "a", ", \"size\": 0"), 400, "size");
    assertRefused(clone(source, "a", ", \"size\": %d".formatted(Long.MAX_VALUE)), 400, "size");
    assertRefused(clone("" + UUID.randomUUID(), "a", ""), 404, "source");
    assertRefused(clone(source, "source", ""), 409, "name");
    String unknown = UUID.randomUUID().toString();
    assertRefused(
        clone(source, "a", ", \"container\": \"%s\"".formatted(unknown)), 404, "container");
    assertRefused(clone(source, "a", ", \"policy\": \"%s\"".formatted(unknown)), 404, "policy");
    assertRefused(clone(source, "a", ", \"labels\": {\"A\": \"b\"}"), 400, "labels");
    assertProblem(
        clone(source, "a", ", \"container\": \"%s\"".formatted(elsewhere)), 507, "out-of-space");
    assertProblem(clone(source, "a", ", \"size\": %d".formatted(101 * GIB)), 507, "out-of-space");
    assertRefused(server.post("volumes", "{\"name\": \"a\", \"size\": 1048576}"), 400, "container");

    assertThat(server.control.engine.list()).hasSize(before);
    assertThat(server.control.store.log().begun()).isEmpty();
  }

  @Test
  void aCloneHasThePolicyOfItsSourceOrTheOneAskedFor() {
    String container = server.container("policies");
    String thick = policy("thick clones", "\"spaceEfficiency\": \"thick\"");
    String elsewhere =
        policy("not here", "\"containers\": [\"%s\"]".formatted(server.container("other")));
    Answer source =
        server.post(
            "volumes",
            "{\"name\": \"source\", \"size\": %d, \"container\": \"%s\", \"policy\": \"%s\"}"
                .formatted(GIB, container, thick));
    String plain = server.volume(container, "plain");

    Answer same = clone(AdminServer.made(source), "same", ", \"size\": %d".formatted(2 * GIB));
    Answer asked = clone(plain, "asked", ", \"policy\": \"%s\"".formatted(thick));

    assertThat(same.text("/policy/id")).isEqualTo(thick);
    assertThat(info(same).reserved()).isTrue();
    assertThat(asked.text("/policy/id")).isEqualTo(thick);
    assertThat(info(asked).reserved()).isTrue();
    assertProblem(
        clone(plain, "none", ", \"policy\": \"%s\"".formatted(elsewhere)), 422, "invalid-policy");
  }

  @Test
  void aRepeatWithItsKeyMakesNoSecondClone() {
    String container = server.container("repeated");
    String source = server.volume(container, "source");
    String body =
        "{\"source\": \"%s\", \"name\": \"once\", \"size\": %d}".formatted(source, 2 * GIB);

    Answer first = server.call("POST", "volumes", body, "Idempotency-Key", "clone-once");
    Answer again = server.call("POST", "volumes", body, "Idempotency-Key", "clone-once");

    assertThat(again.text("/id")).isEqualTo(AdminServer.made(first));
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(AdminServer.texts(server.get("volumes?container=" + container), "/name"))
        .containsExactlyInAnyOrder("source", "once");
  }

  @Test
  void aSourceThatGoesMeanwhileIsClonedOrMissing() throws Exception {
    String container = server.container("going");
    for (int round = 0; round < 5; round++) {
      String source = server.volume(container, "source" + round);
      String copies = "copy%d-".formatted(round);
      List<Integer> statuses = new ArrayList<>();
      try (ExecutorService clients = Executors.newFixedThreadPool(4)) {
        List<Future<Answer>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          String copy = copies + i;
          all.add(clients.submit(() -> clone(source, copy, ", \"size\": " + 2 * GIB)));
        }
        Future<Answer> gone = clients.submit(() -> server.delete("volumes/" + source));
        for (Future<Answer> each : all) {
          statuses.add(each.get().status());
        }
        assertThat(gone.get().status()).isEqualTo(204);
      }
      assertThat(statuses).isSubsetOf(201, 404);
      long made = statuses.stream().filter(status -> status == 201).count();
      assertThat(server.get("volumes?limit=1000&container=" + container).json().get("items"))
          .filteredOn(item -> item.at("/name").asString().startsWith(copies))
          .hasSize((int) made)
          .allMatch(item -> item.at("/size").asLong() == 2 * GIB);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Köln", "東京", "Ελλάδα", "הר", "🌳", "a/b\\\\c", "\\\"q\\\"", "' or 1=1--"})
  void namesAndLabelsAreInEveryScript(String text) {
    String source = server.volume(server.container("script " + UUID.randomUUID()), "source");

    Answer made = clone(source, text, ", \"labels\": {\"k\": \"%s\"}".formatted(text));

    AdminServer.made(made);
    assertThat(made.text("/labels/k")).isEqualTo(made.text("/name"));
    assertThat(
            AdminServer.texts(server.get("volumes?label=k=" + encoded(made.text("/name"))), "/id"))
        .containsExactly(made.text("/id"));
  }

  // ---- labels

  @Test
  void labelsAreMergedAndFoundByAllThatAreAskedFor() {
    String container = server.container("labelled");
    String one = labelled(container, "one", "{\"app\": \"shop\", \"tier\": \"a,b=c\"}");
    String two = labelled(container, "two", "{\"app\": \"shop\"}");
    String three = labelled(container, "three", "{\"app\": \"\"}");
    server.volume(container, "four");

    assertFound(container, "label=app", one, two, three);
    assertFound(container, "label=app=shop", one, two);
    assertFound(container, "label=app=", three);
    assertFound(container, "label=app=shop&label=tier", one);
    assertFound(container, "label=tier=a,b=c", one);
    assertFound(container, "label=app=shop&label=app=other");
    assertFound(container, "label=none");
    assertThat(server.get("volumes?total=true&label=app&container=" + container).number("/total"))
        .isEqualTo(3);

    Answer merged =
        server.patch(
            "volumes/" + one, "{\"labels\": {\"app\": null, \"gone\": null, \"new\": \"1\"}}");
    assertThat(merged.json().get("labels").propertyNames()).containsExactly("new", "tier");
    assertThat(merged.json().get("metadata").propertyNames())
        .noneMatch(key -> key.contains("Label"));
    assertThat(merged.text("/name")).isEqualTo("one");
    assertFound(container, "label=app", two, three);
    assertThat(AdminServer.texts(server.get("events?object=" + one), "/sentence").getFirst())
        .isEqualTo(
            "The labels of volume one (%s) were changed: new=1, app removed.".formatted(one));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"A\": \"b\"} | labels",
        "{\"\": \"b\"} | labels",
        "{\"-a\": \"b\"} | labels",
        "{\"a b\": \"b\"} | labels",
        "{\"a\\u0000\": \"b\"} | labels",
        "{\"a'; drop table volume; --\": \"b\"} | labels",
        "{\"a\": \"line\\nbreak\"} | labels",
        "{\"a\": \"\\u001b[2J\"} | labels",
        "{\"a\": 1} | a",
        "{\"a\": {}} | a",
        "[] | labels",
        "\"a\" | labels",
      })
  void hostileLabelsChangeNothing(String labels, String target) {
    String container = server.container(UUID.randomUUID().toString());
    String volume = labelled(container, "v", "{\"kept\": \"1\"}");
    String body = "{\"size\": %d, \"labels\": %s}".formatted(2 * GIB, labels);

    for (Answer refused :
        List.of(
            server.patch("volumes/" + volume, body),
            clone(volume, "copy", ", \"labels\": " + labels),
            server.post(
                "vvols/" + volume + "/snapshots",
                "{\"name\": \"s\", \"labels\": %s}".formatted(labels)),
            server.post(
                "snapshot-groups",
                "{\"name\": \"s\", \"volumes\": [\"%s\"], \"labels\": %s}"
                    .formatted(volume, labels)))) {
      assertRefused(refused, 400, target);
    }
    Answer now = server.get("volumes/" + volume);
    assertThat(now.number("/size")).isEqualTo(GIB);
    assertThat(now.json().get("labels").propertyNames()).containsExactly("kept");
    assertThat(AdminServer.texts(server.get("snapshots?vvol=" + volume), "/id")).isEmpty();
  }

  @Test
  void aNullIsNoLabelOfSomethingNew() {
    String container = server.container("null");
    assertRefused(
        server.post(
            "volumes",
            "{\"name\": \"a\", \"size\": %d, \"container\": \"%s\", \"labels\": {\"a\": null}}"
                .formatted(GIB, container)),
        400,
        "labels");
  }

  @Test
  void snapshotsAndGroupsHaveLabels() {
    String container = server.container("snapshots");
    String one = server.volume(container, "one");
    String two = server.volume(container, "two");
    String single = snapshot(one, "{\"name\": \"single\", \"labels\": {\"keep\": \"week\"}}");
    Answer group =
        server.post(
            "snapshot-groups?wait=10s",
            "{\"name\": \"g\", \"volumes\": [\"%s\", \"%s\"], \"labels\": {\"keep\": \"day\"}}"
                .formatted(one, two));

    assertThat(server.get("snapshots/" + single).text("/labels/keep")).isEqualTo("week");
    assertThat(AdminServer.texts(server.get("snapshots?label=keep=week"), "/id"))
        .containsExactly(single);
    assertThat(AdminServer.texts(server.get("snapshots?label=keep=day"), "/group"))
        .hasSize(2)
        .containsOnly(group.text("/result/group"));
    assertThat(AdminServer.texts(server.get("snapshots?label=keep&vvol=" + one), "/name"))
        .containsExactlyInAnyOrder("single", "g");
    Answer clone = clone(single, "unlabelled", "");
    assertThat(clone.json().get("labels")).as("labels are not inherited").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"label=", "label=A", "label=%3Da", "label=a&label=", "label=a=%7F", "label=a=%0A"})
  void filtersThatNoLabelCanMeetAreRefused(String query) {
    for (String list : List.of("volumes?", "snapshots?")) {
      assertRefused(server.get(list + query), 400, "label");
    }
    assertRefused(server.get("volumes?name=a&name=b"), 400, "name");
    assertProblem(server.get("vvols?label=a"), 400, "unknown-parameter");
  }

  @Test
  void labelsOutliveTheDatabase() {
    String volume = labelled(server.container("lost"), "v", "{\"app\": \"shop\"}");

    assertThat(server.control.engine.find(id(volume)).orElseThrow().attributes())
        .containsValue("shop");
  }

  // ---- changes of several fields

  @Test
  void oneChangeGrowsRenamesLabelsAndGivesAPolicy() {
    String volume = server.volume(server.container("all at once"), "old");
    String policy = policy("for all at once", "\"maxIops\": 1000");

    Answer changed =
        server.patch(
            "volumes/" + volume,
            "{\"size\": %d, \"name\": \"new\", \"policy\": \"%s\", \"labels\": {\"a\": \"b\"}}"
                .formatted(2 * GIB, policy));

    assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
    assertThat(changed.number("/size")).isEqualTo(2 * GIB);
    assertThat(changed.text("/name")).isEqualTo("new");
    assertThat(changed.text("/policy/id")).isEqualTo(policy);
    assertThat(changed.text("/labels/a")).isEqualTo("b");
    assertThat(server.get("vvols/" + volume + "/limits").number("/maxIops")).isEqualTo(1000);
  }

  @Test
  void whatIsRefusedOfAChangeLeavesTheRestUndone() {
    String container = server.container("undone");
    String volume = server.volume(container, "old");
    server.volume(container, "taken");
    String unknown = UUID.randomUUID().toString();
    String elsewhere =
        policy("undone", "\"containers\": [\"%s\"]".formatted(server.container("undone too")));
    String change = "{\"size\": %d, %%s}".formatted(2 * GIB);

    assertRefused(patch(volume, change, "\"policy\": \"%s\"".formatted(unknown)), 404, "policy");
    assertRefused(patch(volume, change, "\"policy\": \"%s\"".formatted(elsewhere)), 422, "policy");
    assertRefused(
        patch(volume, change, "\"name\": \"taken\", \"labels\": {\"a\": \"b\"}"), 409, "name");
    assertRefused(
        patch(volume, change, "\"name\": \"new\", \"labels\": {\"A\": \"b\"}"), 400, "labels");

    Answer now = server.get("volumes/" + volume);
    assertThat(now.number("/size")).isEqualTo(GIB);
    assertThat(now.text("/name")).isEqualTo("old");
    assertThat(now.json().get("labels")).isEmpty();
  }

  private static Answer patch(String volume, String change, String field) {
    return server.patch("volumes/" + volume, change.formatted(field));
  }

  private static Answer clone(String source, String name, String more) {
    return server.post(
        "volumes", "{\"source\": \"%s\", \"name\": \"%s\"%s}".formatted(source, name, more));
  }

  private static String labelled(String container, String name, String labels) {
    return AdminServer.made(
        server.post(
            "volumes",
            "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\", \"labels\": %s}"
                .formatted(name, GIB, container, labels)));
  }

  private static String snapshot(String volume, String body) {
    Answer job = server.post("vvols/" + volume + "/snapshots?wait=10s", body);
    assertThat(job.text("/state")).as(job.toString()).isEqualTo("success");
    return job.text("/result/id");
  }

  private static String policy(String name, String field) {
    return AdminServer.made(
        server.post("policies", "{\"name\": \"%s\", %s}".formatted(name, field)));
  }

  private static void assertFound(String container, String query, String... ids) {
    assertThat(
            AdminServer.texts(
                server.get("volumes?%s&container=%s".formatted(query, container)), "/id"))
        .as(query)
        .containsExactlyInAnyOrder(ids);
  }

  private static void assertRefused(Answer answer, int status, String target) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
    assertThat(answer.text("/target")).as(answer.toString()).isEqualTo(target);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static VolumeInfo info(Answer volume) {
    return server.control.engine.find(id(AdminServer.made(volume))).orElseThrow();
  }

  private static VolumeId id(String text) {
    return VolumeId.parse(text);
  }
}

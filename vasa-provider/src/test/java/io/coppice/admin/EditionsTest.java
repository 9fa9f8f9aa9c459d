package io.coppice.admin;

import static io.coppice.admin.AdminServer.made;
import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.admin.edition.Edition;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The tags of objects, and the conditions of requests.
class EditionsTest {

  private static final String OTHER = "\"00000000000000000000000000000000\"";

  private static AdminServer server;
  private static EditedObjects objects;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    objects = new EditedObjects(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @TestFactory
  Stream<DynamicTest> everyObjectHasATagThatChangesAreHeldAgainst() {
    return objects.all().stream()
        .map(one -> DynamicTest.dynamicTest(one.name(), () -> checkChanges(one)));
  }

  private static void checkChanges(EditedObjects.Edited one) {
    Answer read = server.get(one.path());
    String tag = read.header("ETag");
    assertThat(tag).as(read.toString()).matches("\"[0-9a-f]{32}\"");
    assertThat(server.get(one.path()).header("ETag")).isEqualTo(tag);

    for (EditedObjects.Change change : one.changes(read.json())) {
      Answer refused = send(change, "If-Match", OTHER);
      assertProblem(refused, 412, "changed-meanwhile");
      assertThat(refused.text("/detail")).contains(OTHER, tag, "read it again");
      assertProblem(send(change, "If-Match", "W/" + tag), 412, "changed-meanwhile");
      assertProblem(send(change, "If-Match", "no-quotes"), 400, "invalid-argument");
      assertProblem(send(change, "If-None-Match", "*"), 400, "invalid-argument");
      assertThat(server.get(one.path()).http().body()).isEqualTo(read.http().body());
    }
    EditedObjects.Change change = one.changes(read.json()).getFirst();
    Answer changed = send(change, "If-Match", OTHER + " ,, " + tag);

    assertThat(changed.status()).as(changed.toString()).isBetween(200, 204);
    if (!change.method().equals("DELETE")) {
      assertThat(changed.header("ETag")).isNotEqualTo(tag).matches("\"[0-9a-f]{32}\"");
      assertThat(server.get(one.path()).header("ETag")).isEqualTo(changed.header("ETag"));
      assertProblem(send(change, "If-Match", tag), 412, "changed-meanwhile");
    }
  }

  private static Answer send(EditedObjects.Change change, String header, String value) {
    return server.call(change.method(), change.path(), change.body(), header, value);
  }

  @TestFactory
  Stream<DynamicTest> anUnchangedObjectIsNotSentAgain() {
    return objects.all().stream()
        .map(one -> DynamicTest.dynamicTest(one.name(), () -> checkReads(one.path())));
  }

  private static void checkReads(String path) {
    String tag = server.get(path).header("ETag");

    for (String same : List.of(tag, "W/" + tag, OTHER + ", " + tag)) {
      Answer unchanged = server.call("GET", path, null, "If-None-Match", same);
      assertThat(unchanged.status()).as(same).isEqualTo(304);
      assertThat(unchanged.http().body()).isEmpty();
      assertThat(unchanged.header("ETag")).isEqualTo(tag);
    }
    for (String other : List.of(OTHER, "*")) {
      assertThat(server.call("GET", path, null, "If-None-Match", other).status()).isEqualTo(200);
    }
    assertProblem(server.call("GET", path, null, "If-None-Match", "x"), 400, "invalid-argument");
    assertProblem(server.call("GET", path, null, "If-Match", tag), 400, "invalid-argument");
  }

  /// What the description says of every operation with a tag, so that none is forgotten here.
  @Test
  void theseAreAllObjectsWithATag() {
    Set<String> read = new TreeSet<>();
    Set<String> changed = new TreeSet<>();
    JsonNode paths = server.get("openapi").json().get("paths");
    for (String path : paths.propertyNames()) {
      JsonNode get = paths.get(path).path("get");
      if (names(get).contains("IfNoneMatch")) {
        assertThat(get.at("/responses/200/headers/ETag").isObject()).isTrue();
        assertThat(get.at("/responses/304").isObject()).isTrue();
        read.add(path);
      }
      for (String method : List.of("put", "patch", "delete")) {
        JsonNode change = paths.get(path).path(method);
        if (names(change).contains("IfMatch")) {
          assertThat(change.at("/responses/412/x-problem-codes/0").asString())
              .isEqualTo("changed-meanwhile");
          changed.add(path.replaceAll("/default-policies/.*", "/default-policies"));
        }
      }
    }

    assertThat(read).isEqualTo(changed).hasSize(objects.kinds().size());
  }

  private static List<String> names(JsonNode operation) {
    return operation
        .path("parameters")
        .valueStream()
        .map(one -> one.path("$ref").asString(""))
        .map(name -> name.substring(name.lastIndexOf('/') + 1))
        .toList();
  }

  @Test
  void whatIsMadeComesWithItsTagAndSoDoesARepeat() {
    String container = server.container(UUID.randomUUID().toString());
    String body =
        "{\"name\": \"tagged\", \"size\": %d, \"container\": \"%s\"}"
            .formatted(1L << 30, container);

    Answer first = server.call("POST", "volumes", body, "Idempotency-Key", "tagged");
    Answer again = server.call("POST", "volumes", body, "Idempotency-Key", "tagged");

    String path = "volumes/" + made(first);
    assertThat(first.header("ETag")).isEqualTo(server.get(path).header("ETag")).isNotEmpty();
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.header("ETag")).isEqualTo(first.header("ETag"));
    assertThat(again.header("Location")).isEqualTo(first.header("Location"));
    assertThat(server.patch(path, "{\"name\": \"other\"}").status()).isEqualTo(200);
    assertProblem(
        server.call("DELETE", path, null, "If-Match", first.header("ETag")),
        412,
        "changed-meanwhile");
    Answer token =
        server.post(
            "tokens", "{\"name\": \"tagged\", \"role\": \"operator\", \"expiresInDays\": 1}");
    assertThat(token.header("Cache-Control")).isEqualTo("no-store");
    assertThat(token.header("ETag"))
        .isEqualTo(server.get("tokens/" + made(token)).header("ETag"))
        .isNotEmpty();
  }

  @Test
  void whatChangesByItselfDoesNotChangeTheTag() {
    String container = server.container(UUID.randomUUID().toString());
    String tag = server.get("containers/" + container).header("ETag");

    String volume = server.volume(container, "live");
    String before = server.get("volumes/" + volume).header("ETag");
    server.post(
        "exports",
        "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.made:live\"]}".formatted(volume));

    assertThat(server.get("containers/" + container).number("/vvols")).isEqualTo(1);
    assertThat(server.get("containers/" + container).header("ETag")).isEqualTo(tag);
    assertThat(server.get("volumes/" + volume).json().get("exported").asBoolean()).isTrue();
    assertThat(server.get("volumes/" + volume).header("ETag")).isEqualTo(before);
  }

  @Test
  void anExportAndAContainerHaveAnotherTagAfterChangesThroughOtherPaths() {
    String container = server.container(UUID.randomUUID().toString());
    String volume = server.volume(container, "v");
    String host =
        made(
            server.post(
                "hosts", "{\"name\": \"tag\", \"initiators\": [\"iqn.2026-11.made:tag-1\"]}"));
    server.post("exports", "{\"vvol\": \"%s\", \"hosts\": [\"%s\"]}".formatted(volume, host));
    String tag = server.get("exports/" + volume).header("ETag");

    server.put("hosts/" + host + "/initiators/iqn.2026-11.made:tag-2", null);

    assertThat(server.get("exports/" + volume).header("ETag")).isNotEqualTo(tag);
    assertProblem(
        server.call("DELETE", "exports/" + volume, null, "If-Match", tag),
        412,
        "changed-meanwhile");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, containers",
    "POST, containers",
    "GET, vvols/ID",
    "PUT, hosts/ID/initiators/iqn.2026-11.made:x",
    "DELETE, exports/ID/initiators/iqn.2026-11.made:x",
    "DELETE, containers/ID/registrations",
    "POST, snapshots/ID/revert",
    "GET, system",
  })
  void aConditionThatWouldBeIgnoredIsRefused(String method, String path) {
    String body = method.equals("POST") ? "{\"name\": \"never\", \"quota\": 1073741824}" : null;
    String unknown = path.replace("ID", UUID.randomUUID().toString());

    Answer refused = server.call(method, unknown, body, "If-Match", "*");

    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/target")).isEqualTo("If-Match");
    assertThat(AdminServer.texts(server.get("containers?limit=1000"), "/name"))
        .doesNotContain("never");
  }

  @Test
  void aStarHoldsForWhatExists() {
    String container = "containers/" + server.container(UUID.randomUUID().toString());
    String unknown = "containers/" + UUID.randomUUID();

    assertThat(server.call("PATCH", container, "{\"quota\": 2147483648}", "If-Match", "*").status())
        .isEqualTo(200);
    assertProblem(
        server.call("PATCH", unknown, "{\"quota\": 2147483648}", "If-Match", "*"),
        404,
        "not-found");
    assertThat(server.call("DELETE", container, null, "If-Match", "*").status()).isEqualTo(204);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {"''", ",", "\"a", "a\"", "\"a\" \"b\"", "*, \"a\"", "w/\"a\"", "\"a b\""})
  void aMalformedConditionIsRefused(String value) {
    String path = "containers/" + server.container(UUID.randomUUID().toString());

    Answer refused = server.call("DELETE", path, null, "If-Match", value);

    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/target")).isEqualTo("If-Match");
    assertThat(server.get(path).status()).isEqualTo(200);
  }

  @Test
  void differentFieldsMakeDifferentTags() {
    @Nullable Object[][] fields = {
      {"a", "b"},
      {"ab"},
      {"ab", ""},
      {"ab", null},
      {List.of("a", "b")},
      {List.of("a"), "b"},
      {List.of("a", List.of("b"))},
      {Map.of("a", "b")},
      {Map.of("a", "1", "b", "2")},
      {Map.of("a", "1"), Map.of("b", "2")},
      {Map.of("a", "1"), "b", "2"},
      {1, "b"},
      {},
    };

    Set<String> tags = new TreeSet<>();
    Arrays.stream(fields).forEach(one -> tags.add(tag(one)));

    assertThat(tags).hasSize(fields.length);
    assertThat(tag(Set.of("c", "a", "b"))).isEqualTo(tag(List.of("a", "b", "c")));
    assertThat(Edition.of("a").tag()).isEqualTo("\"4162fddd39a3e4225e8e2392eced237f\"");
  }

  private static String tag(@Nullable Object... fields) {
    Edition edition = Edition.of("an id");
    for (int i = 0; i < fields.length; i++) {
      edition = edition.with("field " + i, fields[i]);
    }
    return edition.tag();
  }
}

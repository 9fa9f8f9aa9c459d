package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.audit.AuditTrail;
import io.coppice.vasa.audit.Author;
import io.coppice.vasa.audit.Channel;
import io.coppice.vasa.audit.Detail;
import io.coppice.vasa.audit.Outcome;
import io.coppice.vasa.testing.ControlPlane;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The audit trail over REST: what is in it, what never is, and who may read it.
class AuditTest {

  /// What stands for each kind of secret, wherever it is sent.
  private static final String CANARY = "canary-5a1f0e7b-never-to-be-seen";

  private static AdminServer server;
  private static String container;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    container = server.container("audited");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static JsonNode newest() {
    return server.get("audit?limit=1").json().at("/items/0");
  }

  private static List<String> values(JsonNode entry, String part) {
    return entry
        .get(part)
        .valueStream()
        .map(one -> one.at("/name").asString() + "=" + one.at("/value").asString())
        .toList();
  }

  @Test
  void aChangeHasWhatWasAskedAndWhatWasBefore() {
    String one = server.container("before");
    server.patch("containers/" + one, "{\"name\": \"after\"}");

    JsonNode entry = newest();
    assertThat(values(entry, "asked")).containsExactly("name=after");
    assertThat(values(entry, "before"))
        .containsExactlyInAnyOrder(
            "ContainerUpdate.formerName=before",
            "ContainerUpdate.formerQuota=" + 100 * ControlPlane.GIB);
    assertThat(values(entry, "after"))
        .contains("ContainerUpdate.name=after")
        .noneMatch(value -> value.startsWith("state."));
    assertThat(changes(entry))
        .as("and nothing of what stayed")
        .containsExactly("name: before -> after");
    assertThat(entry.at("/object").asString()).isEqualTo(one);
    assertThat(entry.at("/hash").asString()).matches("[0-9a-f]{64}");
  }

  private static List<String> changes(JsonNode entry) {
    return entry
        .get("changes")
        .valueStream()
        .map(
            one ->
                "%s: %s -> %s"
                    .formatted(
                        one.at("/field").asString(),
                        one.at("/before").asString("none"),
                        one.at("/after").asString("none")))
        .toList();
  }

  @Test
  void whatIsMadeAndDeletedHasAllItsFieldsAndMapsHaveTheirEntries() {
    String volume = server.volume(container, "labelled");
    server.patch("volumes/" + volume, "{\"labels\": {\"owner\": \"web\"}}");
    assertThat(changes(newest())).containsExactly("labels.owner: none -> web");
    server.patch("volumes/" + volume, "{\"labels\": {\"owner\": \"db\", \"tier\": \"1\"}}");
    assertThat(changes(newest()))
        .containsExactlyInAnyOrder("labels.owner: web -> db", "labels.tier: none -> 1");

    server.delete("volumes/" + volume);

    assertThat(changes(newest()))
        .contains("labels.owner: db -> none", "labels.tier: 1 -> none")
        .anyMatch(one -> one.startsWith("size: ") && one.endsWith(" -> none"));
  }

  @Test
  void aRefusedChangeChangesNoFieldAndTellsWhatWasSo() {
    String one = server.container("stays");
    assertThat(server.patch("containers/" + one, "{\"quota\": 5}").status()).isEqualTo(400);

    JsonNode entry = newest();

    assertThat(entry.at("/outcome").asString()).isEqualTo("refused");
    assertThat(changes(entry)).isEmpty();
    assertThat(entry.at("/after")).isEmpty();
  }

  @Test
  void entriesFromBeforeFieldsHadNamesAreShownAsTheyAreAndVerify() {
    AuditTrail trail = server.bean(AuditTrail.class);
    trail
        .entries()
        .append(
            new AuditRecord(
                UUID.randomUUID(),
                server.control.clock.instant(),
                Channel.REST,
                new Author("walker", null, null, null),
                "PATCH /containers/{id}",
                container,
                null,
                Outcome.DONE,
                null,
                List.of(
                    Detail.before("state", "[1, before, 5, null]"),
                    Detail.after("state", "[1, after, 5, null]"))));

    JsonNode entry = newest();

    assertThat(values(entry, "before")).containsExactly("state=[1, before, 5, null]");
    assertThat(values(entry, "after")).containsExactly("state=[1, after, 5, null]");
    assertThat(changes(entry)).isEmpty();
    assertThat(server.get("audit/verification").json().at("/intact").asBoolean()).isTrue();
  }

  @Test
  void refusedChangesAreEntriesToo() {
    String operator = server.token("operator");
    for (Supplier<Answer> call :
        List.<Supplier<Answer>>of(
            () -> server.post("containers", "{\"name\": \"audited\", \"quota\": 1073741824}"),
            () -> server.callAs(operator, "DELETE", "containers/" + container, null),
            () -> server.delete("containers/" + UUID.randomUUID()),
            () -> server.post("containers", "{\"name\": 5}"),
            () -> server.post("containers", "{"),
            () -> server.patch("containers/" + container, "{}"))) {
      Answer refused = call.get();
      JsonNode entry = newest();
      assertThat(refused.status()).isBetween(400, 409);
      assertThat(entry.at("/outcome").asString()).as(refused.toString()).isEqualTo("refused");
      assertThat(entry.at("/code").asString()).isEqualTo(refused.text("/code"));
      assertThat(entry.at("/traceId").asString()).isEqualTo(refused.header("X-Trace-Id"));
    }
  }

  @Test
  void aFailureOfTheDatabaseIsAnEntryWhenItIsBack() {
    server.control.gate.close();
    Answer refused = server.post("containers", "{\"name\": \"later\", \"quota\": 1073741824}");
    assertThat(refused.status()).isEqualTo(503);
    server.control.gate.open();
    server.container("back");
    assertThat(server.get("audit?action=POST+/containers&outcome=refused").http().body())
        .contains(refused.header("X-Trace-Id"));
  }

  @Test
  void strangersAreOneEntryAMinute() {
    for (int i = 0; i < 5; i++) {
      assertThat(server.callAs("no token", "DELETE", "containers/" + container, null).status())
          .isEqualTo(401);
    }
    assertThat(server.get("audit?actor=nobody&total=true").number("/total")).isOne();
  }

  @Test
  void noSecretIsEverRecorded() {
    String chap = "initiators/iqn.2026-11.test:canary/chap";
    String body = "{\"secret\": \"%s\", \"mutualSecret\": \"%s\"}";
    assertThat(server.put(chap, body.formatted(CANARY, CANARY + "-2")).status()).isEqualTo(204);
    assertThat(values(newest(), "asked"))
        .containsExactlyInAnyOrder("secret=(redacted)", "mutualSecret=(redacted)");
    server.put(chap, body.formatted(CANARY, CANARY)); // equal ones are refused
    String name = "{\"name\": \"t\", \"role\": \"operator\", \"%s\": \"%s\"}";
    server.post("tokens", name.formatted(CANARY, CANARY));
    server.post("tokens", CANARY);
    server.post("tokens", "[\"" + CANARY + "\"]");
    server.delete("tokens/" + CANARY);
    server.callAs(CANARY, "DELETE", "containers/" + container, null);
    server.call(
        "POST", "containers", "{\"name\": \"keyed\"}", "X-Password", CANARY, "Cookie", CANARY);
    String issued =
        server.post("tokens", "{\"name\": \"fresh\", \"role\": \"operator\"}").text("/token");
    assertThat(issued).hasSizeGreaterThan(20);
    server.delete("tokens/" + issued);

    String all =
        String.join(
            "\n",
            server
                .control
                .jdbc
                .sql("select row_to_json(a)::text from audit_entry a")
                .query(String.class)
                .list());
    assertThat(all)
        .contains("DELETE /tokens/{id}")
        .doesNotContain(CANARY, issued, AdminServer.ADMIN);
  }

  @Test
  void everyFieldOfABodyIsDecidedAbout() {
    JsonNode description = server.get("openapi").json();
    Set<String> fields = new TreeSet<>();
    for (JsonNode path : description.get("paths")) {
      for (JsonNode operation : path) {
        String schema =
            operation.at("/requestBody/content/application~1json/schema/$ref").asString("");
        if (!schema.isEmpty()) {
          fields.addAll(description.at(schema.substring(1) + "/properties").propertyNames());
        }
      }
    }
    assertThat(fields).contains("quota", "secret");
    for (String field : fields) {
      server.post("tokens", "{\"%s\": null, \"name\": 5}".formatted(field));
      assertThat(values(newest(), "asked"))
          .as("%s: is it shown, or a secret?", field)
          .noneMatch(one -> one.startsWith("unknownField"));
    }
  }

  @Test
  void onlyAdministratorsReadIt() {
    String bound =
        server
            .post(
                "tokens",
                "{\"name\": \"bound\", \"role\": \"volume-admin\", \"containers\": [\"%s\"]}"
                    .formatted(container))
            .text("/token");
    for (String token :
        List.of(
            bound,
            server.token("operator"),
            server.token("vm-admin"),
            server.token("storage-admin"))) {
      for (String path : List.of("audit", "audit/1", "audit/verification")) {
        assertThat(server.callAs(token, "GET", path, null).status()).isEqualTo(403);
      }
    }
    assertThat(server.callAs("", "GET", "audit", null).status()).isEqualTo(401);
  }

  @Test
  void filtersChooseAndPartsJoin() {
    String one = server.container("filtered");
    server.patch("containers/" + one, "{\"name\": \"filtered-2\"}");
    server.delete("containers/" + one);
    assertThat(AdminServer.texts(server.get("audit?object=" + one), "/action"))
        .containsExactly("DELETE /containers/{id}", "PATCH /containers/{id}", "POST /containers");
    assertThat(
            server
                .get("audit?object=" + one + "&action=POST+/containers&total=true")
                .number("/total"))
        .isOne();
    assertThat(server.get("audit?actor=vasa").json().get("items")).isEmpty();
    assertThat(server.get("audit?actor=rest&object=" + one).json().get("items")).hasSize(3);
    assertThat(server.get("audit?until=1970-01-01T00:00:01Z").json().get("items")).isEmpty();
    assertThat(server.get("audit?outcome=other").status()).isEqualTo(400);
    Answer first = server.get("audit?limit=2&object=" + one);
    Answer second =
        server.get("audit?limit=2&object=%s&cursor=%s".formatted(one, first.text("/next")));
    assertThat(AdminServer.texts(second, "/action")).containsExactly("POST /containers");
    long seq = second.number("/items/0/seq");
    assertThat(server.get("audit/" + seq).json()).isEqualTo(second.json().at("/items/0"));
    assertThat(server.get("audit/999999999").status()).isEqualTo(404);
  }

  @Test
  void theTrailIsProvedAndAChangeOfItIsFound() {
    server.container("proved");
    Answer whole = server.get("audit/verification");
    assertThat(whole.json().at("/intact").asBoolean()).as(whole.toString()).isTrue();
    assertThat(whole.number("/poolHead")).isEqualTo(whole.number("/last"));

    String name = "update audit_entry set account = ? where seq = 1";
    server.control.jdbc.sql(name).param("somebody").update();
    Answer broken = server.get("audit/verification");
    assertThat(broken.json().at("/intact").asBoolean()).isFalse();
    assertThat(broken.number("/firstBad")).isOne();
    assertThat(broken.text("/sentence"))
        .isEqualTo("Entry 1 has another hash than its content: it was changed or added.");
    server.control.jdbc.sql(name).param("admin.token").update();
    assertThat(server.get("audit/verification").json().at("/intact").asBoolean()).isTrue();
  }
}

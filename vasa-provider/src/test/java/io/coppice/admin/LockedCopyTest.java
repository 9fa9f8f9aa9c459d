package io.coppice.admin;

import static io.coppice.admin.AdminServer.made;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Every operation of REST against a locked copy, with every role: none deletes it, changes what it
/// holds, or shortens its lock. Also the locks of REST and of rules themselves, and the two
/// accounts that a longer limit takes.
class LockedCopyTest {

  private static final int CONTENT = 42;
  private static final String PASSWORD = "correct horse battery";

  /// The bodies and queries that would do harm, by operation; the others are sent as they are
  /// without a body.
  private static final Map<String, List<String>> ATTEMPTS = attempts();

  private static AdminServer server;
  private static String container;
  private static int names;

  private static Map<String, List<String>> attempts() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    all.put(
        "POST /snapshots/{id}/lock",
        List.of(
            "{\"lockFor\": \"PT1S\"}",
            "{\"until\": \"2026-11-21T12:00:01Z\"}",
            "{\"until\": \"2000-01-01T00:00:00Z\"}",
            "{\"until\": null, \"lockFor\": \"PT0S\"}",
            "{\"lockFor\": \"-P1D\"}"));
    all.put("POST /recovery-points/{id}/lock", all.get("POST /snapshots/{id}/lock"));
    all.put("PATCH /locks", List.of("{\"maxLock\": \"PT1M\"}"));
    all.put("PATCH /volumes/{id}", List.of("{\"size\": 2147483648, \"name\": \"other\"}"));
    all.put("PATCH /containers/{id}", List.of("{\"name\": \"other\", \"quota\": 2147483648}"));
    all.put("PATCH /protection-groups/{id}", List.of("{\"members\": [{\"volume\": \"OTHER\"}]}"));
    all.put(
        "PUT /protection-policies/{id}",
        List.of(
            """
            {"name": "other", "generation": 1,
             "rules": [{"name": "hour", "kind": "hourly", "minute": 0, "keepCount": 1}]}
            """));
    all.put("POST /snapshots/{id}/clone", List.of("{\"name\": \"a-clone\"}"));
    all.put("POST /vvols/{id}/snapshots", List.of("{\"name\": \"another\"}"));
    all.put("PUT /vvols/{id}/limits", List.of("{\"maxIops\": 10}"));
    all.put("DELETE /snapshots/{id}", List.of("?force=true", ""));
    all.put("DELETE /protection-groups/{id}", List.of("?points=delete", ""));
    return all;
  }

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// The groups of a test take no points in the rounds of the next one.
  @AfterEach
  void releaseGroups() {
    for (String group : AdminServer.texts(server.get("protection-groups"), "/id")) {
      assertThat(server.delete("protection-groups/" + group).status()).isEqualTo(204);
    }
  }

  private static String name() {
    return "n" + ++names;
  }

  /// A locked recovery point of one volume, and all that it hangs on.
  private record Copy(
      String container,
      String volume,
      String other,
      String policy,
      String group,
      String point,
      String snapshot,
      Instant until) {

    /// The path of an operation, with the ids of what the copy hangs on.
    String path(String operation) {
      String path = operation.substring(operation.indexOf('/') + 1);
      String id =
          switch (path.replaceAll("/.*", "")) {
            case "containers" -> container;
            case "volumes", "vvols" -> volume;
            case "protection-policies" -> policy;
            case "protection-groups" -> group;
            case "recovery-points" -> point;
            case "snapshots" -> snapshot;
            default -> UUID.randomUUID().toString();
          };
      return path.replace("{id}", id)
          .replace("{vvol}", volume)
          .replace("{type}", "Data")
          .replace("{iqn}", "iqn.2026-11.test:x")
          .replace("{name}", "iqn.2026-11.test:x")
          .replace("{number}", "1")
          .replace("{lun}", "1");
    }

    void requireKept(String attempt) {
      requireInPool(attempt);
      Answer shown = server.get("snapshots/" + snapshot);
      assertThat(shown.text("/lockedUntil")).as(attempt).isEqualTo(until.toString());
    }

    void requireInPool(String attempt) {
      VolumeId id = new VolumeId(UUID.fromString(snapshot));
      assertThat(server.control.engine.find(id)).as(attempt).isPresent();
      assertThat(server.control.locked.lockedUntil(id)).as(attempt).contains(until);
      assertThat(server.control.read(id, 0)).as(attempt).isEqualTo(CONTENT);
    }
  }

  private static Copy copy() {
    container = server.container(name());
    String volume = server.volume(container, name());
    server.control.write(new VolumeId(UUID.fromString(volume)), 0, 4096, CONTENT);
    String policy = Protecting.policy(server, name());
    String group = Protecting.group(server, name(), policy, volume);
    String point = Protecting.point(server, group, name());
    Answer locked = server.post("recovery-points/" + point + "/lock", "{\"lockFor\": \"P7D\"}");
    assertThat(locked.status()).as(locked.toString()).isEqualTo(200);
    server.control.write(new VolumeId(UUID.fromString(volume)), 0, 4096, CONTENT + 1);
    return new Copy(
        container,
        volume,
        server.volume(container, name()),
        policy,
        group,
        point,
        locked.text("/snapshots/0"),
        Instant.parse(locked.text("/lockedUntil")));
  }

  /// The operations of the description that are no GET.
  private static Set<String> changing() {
    Set<String> operations = new TreeSet<>();
    JsonNode paths = server.get("openapi").json().get("paths");
    for (String path : paths.propertyNames()) {
      for (String method : paths.get(path).propertyNames()) {
        if (List.of("post", "put", "patch", "delete").contains(method)) {
          operations.add(method.toUpperCase(Locale.ROOT) + " " + path.replace("/api/v1", ""));
        }
      }
    }
    return operations;
  }

  private static String token(String role) {
    String containers =
        role.equals("volume-admin") ? ", \"containers\": [\"%s\"]".formatted(container) : "";
    return server
        .post(
            "tokens", "{\"name\": \"%s\", \"role\": \"%s\"%s}".formatted(name(), role, containers))
        .text("/token");
  }

  /// The table: each operation, with each of its attempts. Operations that end the token itself
  /// come with ids that are not there.
  @ParameterizedTest
  @ValueSource(strings = {"admin", "storage-admin", "vm-admin", "operator", "volume-admin"})
  void noOperationOfAnyRoleDeletesOrShortens(String role) {
    Copy copy = copy();
    String token = token(role);
    int tried = 0;
    for (String operation : ordered()) {
      for (String attempt : ATTEMPTS.getOrDefault(operation, List.of(""))) {
        boolean query = attempt.startsWith("?");
        String method = operation.substring(0, operation.indexOf(' '));
        String body = query || attempt.isEmpty() ? null : attempt.replace("OTHER", copy.other());
        String path = copy.path(operation) + (query ? attempt : "");
        Answer answer = server.callAs(token, method, path, body);
        String what = "%s %s %s: %s".formatted(role, operation, attempt, answer);
        if (answer.status() == 403) {
          copy.requireInPool(what);
        } else {
          copy.requireKept(what);
        }
        if (operation.matches("DELETE /(snapshots|volumes|recovery-points)/.id.")
            || attempt.contains("points=delete")) {
          assertThat(answer.text("/code")).as(what).isIn("locked", "forbidden");
          if (answer.status() != 403) {
            assertThat(answer.text("/detail")).as(what).contains(copy.until().toString());
          }
        }
        tried++;
      }
    }
    assertThat(tried).isGreaterThan(75);
    assertThat(server.control.engine.locks().locked()).isNotEmpty();
    reset();
  }

  /// All operations; those after which the group is gone come last.
  private static List<String> ordered() {
    List<String> last =
        List.of("DELETE /protection-groups/{id}", "DELETE /protection-policies/{id}");
    List<String> all = new ArrayList<>(changing());
    all.removeAll(last);
    all.addAll(last);
    return all;
  }

  /// The limit that an attempt has lowered.
  private static void reset() {
    server.control.jdbc.sql("update lock_limit set longest_s = 2592000").update();
  }

  @Test
  void theVolumeIsRevertedAndTheCopyReadsTheSame() {
    Copy copy = copy();
    Answer reverted = server.post("snapshots/" + copy.snapshot() + "/revert?wait=9s", null);

    assertThat(reverted.status()).as(reverted.toString()).isEqualTo(200);
    copy.requireKept("revert");
  }

  @Test
  void retentionRoundsAndRestartsKeepIt() {
    Copy copy = copy();
    for (int hour = 0; hour < 24 * 6; hour += 3) {
      server.control.clock.advance(Duration.ofHours(3));
      server.control.protection.rounds.round();
      server.control.schedules.deleteExpired();
    }
    copy.requireKept("six days of rounds");
    server.control.clock.advance(Duration.ofDays(2));
    assertThat(server.get("snapshots/" + copy.snapshot()).json().at("/lockedUntil").isNull())
        .isTrue();
    assertThat(server.delete("recovery-points/" + copy.point()).status()).isEqualTo(204);
  }

  @Test
  void aRuleLocksEachOfItsPoints() {
    String box = server.container(name());
    String policy =
        made(
            server.post(
                "protection-policies",
                """
                {"name": "%s", "rules": [
                  {"name": "hour", "kind": "hourly", "minute": 0, "keepCount": 3, "lock": "PT3H"}]}
                """
                    .formatted(name())));
    assertThat(server.get("protection-policies/" + policy).text("/rules/0/lock")).isEqualTo("PT3H");
    String group = Protecting.group(server, name(), policy, server.volume(box, name()));
    server.control.clock.advance(Duration.ofHours(1));
    server.control.protection.rounds.round();

    Answer points = server.get("recovery-points?group=" + group);

    assertThat(points.json().at("/items").size()).isEqualTo(1);
    Instant taken = Instant.parse(points.text("/items/0/taken"));
    assertThat(Instant.parse(points.text("/items/0/lockedUntil")))
        .isBetween(taken.plus(Duration.ofHours(3)), taken.plus(Duration.ofHours(3)).plusSeconds(1));
    String path = "recovery-points/" + points.text("/items/0/id");
    Answer refused = server.delete(path);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text("/code")).isEqualTo("locked");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "lock": "PT4H"  | expected rule 'hour' to lock its points for at most the PT3H
          "lock": "PT0S"  | expected a lock of rule 'hour' of a second or more
          "lock": "-PT1H" | expected a lock of rule 'hour' of a second or more
          "lock": "soon"  | expected a length of time
          """)
  void rulesWithLocksThatCannotBeAreRefused(String lock, String why) {
    Answer refused =
        server.post(
            "protection-policies",
            """
            {"name": "%s", "rules": [
              {"name": "hour", "kind": "hourly", "minute": 0, "keepCount": 3, %s}]}
            """
                .formatted(name(), lock));

    assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
    assertThat(refused.text("/detail")).contains(why);
  }

  private static String[] session(String account) {
    server.post(
        "accounts",
        "{\"name\": \"%s\", \"role\": \"admin\", \"password\": \"%s\"}"
            .formatted(account, PASSWORD));
    Answer opened =
        server.callAs(
            "",
            "POST",
            "session",
            "{\"name\": \"%s\", \"password\": \"%s\"}".formatted(account, PASSWORD));
    String cookie = opened.header("Set-Cookie");
    return new String[] {
      "Cookie", cookie.substring(0, cookie.indexOf(';')), "X-Coppice-CSRF", opened.text("/csrf")
    };
  }

  private static Answer as(String[] who, String path, String body) {
    return server.callAs("", "POST", path, body, who);
  }

  @Test
  void aLongerLimitTakesTwoAccounts() {
    String[] anna = session(name());
    String[] bert = session(name());
    String wish = "{\"action\": \"raise-max-lock\", \"value\": \"P60D\"}";
    assertThat(server.patch("locks", "{\"maxLock\": \"P60D\"}").status()).isEqualTo(400);
    assertThat(server.post("approvals", wish).status()).as("the token of the home").isEqualTo(403);

    String own = made(as(anna, "approvals", wish));
    String token =
        as(anna, "tokens", "{\"name\": \"%s\", \"role\": \"admin\"}".formatted(name()))
            .text("/token");
    String approve = "approvals/" + own + "/approve";
    assertThat(as(anna, approve, null).status()).as("the same account").isEqualTo(403);
    assertThat(server.callAs(token, "POST", approve, null).status())
        .as("a token of the same account")
        .isEqualTo(403);
    assertThat(server.post(approve, null).status()).as("the token of the home").isEqualTo(403);
    assertThat(server.get("locks").text("/maxLock")).isEqualTo("P30D");

    assertThat(as(bert, approve, null).text("/state")).isEqualTo("approved");
    assertThat(server.get("locks").text("/maxLock")).isEqualTo("P60D");
    assertThat(as(bert, approve, null).status()).as("once").isEqualTo(409);
    assertThat(server.patch("locks", "{\"maxLock\": \"P30D\"}").text("/maxLock"))
        .as("lowered at once")
        .isEqualTo("P30D");

    String late = made(as(anna, "approvals", wish));
    server.control.clock.advance(Duration.ofHours(24));
    assertThat(server.get("approvals/" + late).text("/state")).isEqualTo("expired");
    String[] carl = session(name());
    assertThat(as(carl, "approvals/" + late + "/approve", null).status()).isEqualTo(409);
    assertThat(server.get("locks").text("/maxLock")).isEqualTo("P30D");
  }

  @Test
  void limitsThatCannotBeAreNotAskedFor() {
    String[] anna = session(name());
    for (String value : List.of("P30D", "P1D", "P4000D", "soon", "-P60D", "P60DT0.5S")) {
      String body = "{\"action\": \"raise-max-lock\", \"value\": \"%s\"}".formatted(value);
      assertThat(as(anna, "approvals", body).status()).as(value).isEqualTo(400);
    }
  }
}

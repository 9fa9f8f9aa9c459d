package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// What holds for every request: tokens, roles, problems, parts of lists, repeats.
class RequestsTest {

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void withoutATokenEverythingIsUnauthorized() {
    for (String path :
        new String[] {"system", "containers", "no/such/path", "openapi", "%73ystem"}) {
      Answer answer = server.callAs("", "GET", path, null);

      assertProblem(answer, 401, "unauthorized");
      assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
    }
    assertProblem(server.callAs("wrong", "DELETE", "system", null), 401, "unauthorized");
  }

  @Test
  void aClientLearnsWhoAnswersAndAsWhomItCameWithoutADatabase() {
    server.database.cutOff = true;
    try {
      assertThat(server.get("version").text("/version")).isEqualTo("1.2.3");
      assertThat(server.get("version").text("/api")).isEqualTo("v1");
      assertThat(server.get("me").text("/role")).isEqualTo("admin");
      assertThat(server.get("me").text("/name")).isEqualTo("admin.token");
    } finally {
      server.database.cutOff = false;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "operator, GET, containers, 200",
    "operator, GET, tokens, 403",
    "operator, POST, containers, 403",
    "operator, DELETE, volumes/6b0c2f1e-0000-4000-8000-000000000000, 403",
    "vm-admin, GET, system, 200",
    "vm-admin, POST, containers, 403",
    "vm-admin, GET, tokens, 403",
    "storage-admin, POST, containers, 400",
    "storage-admin, POST, tokens, 403",
    "admin, GET, tokens, 200",
    "admin, POST, tokens, 400",
  })
  void aRoleAllowsWhatItSays(String role, String method, String path, int status) {
    String body = method.equals("POST") ? "{}" : null;

    Answer answer = server.callAs(server.token(role), method, path, body);

    assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
  }

  @Test
  void aWholeNumberMayBeWrittenWithAPoint() {
    Answer made = server.post("containers", "{\"name\": \"point\", \"quota\": 2097152.0}");

    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    assertThat(made.number("/quota")).isEqualTo(2_097_152);
  }

  @Test
  void aTokenIsShownOnceAndOnlyItsHashIsKept() {
    String body = "{\"name\": \"once\", \"role\": \"operator\", \"expiresInDays\": 7}";

    Answer first = server.call("POST", "tokens", body, "Idempotency-Key", "token-once");
    Answer again = server.call("POST", "tokens", body, "Idempotency-Key", "token-once");

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("Cache-Control")).isEqualTo("no-store");
    assertProblem(again, 409, "answer-not-kept");
    assertThat(server.get("tokens").http().body()).doesNotContain(first.text("/token"));
    String everything =
        server
            .control
            .jdbc
            .sql(
                "select coalesce(string_agg(t::text || coalesce(convert_from(r.body, 'UTF8'), ''),"
                    + " ''), '') from api_token t left join idempotent_request r on true")
            .query(String.class)
            .single();
    assertThat(everything).contains("once").doesNotContain(first.text("/token"));
  }

  @Test
  void aTokenEndsWhenItExpiresOrIsRevoked() {
    Answer issued =
        server.post("tokens", "{\"name\": \"ends\", \"role\": \"operator\", \"expiresInDays\": 2}");
    String token = issued.text("/token");
    assertThat(server.callAs(token, "GET", "system", null).status()).isEqualTo(200);

    server.control.clock.advance(Duration.ofDays(3));

    assertThat(server.callAs(token, "GET", "system", null).status()).isEqualTo(401);
    String other = server.token("operator");
    String id =
        server
            .get("tokens?limit=1000")
            .json()
            .get("items")
            .valueStream()
            .toList()
            .getLast()
            .at("/id")
            .asString();
    assertThat(server.delete("tokens/" + id).status()).isEqualTo(204);
    assertThat(server.callAs(other, "GET", "system", null).status()).isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET    | nothing                | ''                  | 404 | no-such-path",
        "PUT    | containers             | {}                  | 405 | method-not-allowed",
        "GET    | containers/not-a-uuid  | ''                  | 400 | invalid-argument",
        "GET    | containers/6b0c2f1e-0000-4000-8000-000000000000 | '' | 404 | not-found",
        "DELETE | containers/6b0c2f1e-0000-4000-8000-000000000000 | '' | 404 | not-found",
        "POST   | containers             | ''                  | 400 | malformed-json",
        "POST   | containers             | {\"name\":          | 400 | malformed-json",
        "POST   | containers             | [1]                 | 400 | malformed-json",
        "POST   | containers             | {\"name\":\"a\",\"name\":\"b\"} | 400 | malformed-json",
        "POST   | containers             | {\"nam\": \"a\"}    | 400 | unknown-field",
        "POST   | containers             | {\"name\": \"a\"}   | 400 | invalid-argument",
        "POST   | containers             | {\"name\": \"a\", \"quota\": \"1G\"} | 400 | invalid-argument",
        "POST   | containers             | {\"name\": \"a\", \"quota\": 1.5} | 400 | invalid-argument",
        "POST   | containers             | {\"name\": false, \"quota\": 1048576} | 400 | invalid-argument",
        "POST   | containers             | {\"name\": 7, \"quota\": 1048576} | 400 | invalid-argument",
        "POST   | containers             | {\"name\": [\"a\"], \"quota\": 1048576} | 400 | invalid-argument",
        "POST   | containers             | {\"name\": \"a\", \"quota\": 1e99999} | 400 | invalid-argument",
        "POST   | containers             | {\"name\": \"a\", \"quota\": 1e-9} | 400 | invalid-argument",
        "POST   | tokens | {\"name\": \"a\", \"role\": \"admin\", \"expiresInDays\": 3e9} | 400 | invalid-argument",
        "POST   | containers             | {\"name\": \"a\", \"quota\": -1} | 400 | invalid-argument",
        "POST   | containers             | {\"name\": \"a\", \"quota\": 0} | 400 | invalid-argument",
        "POST   | containers             | {\"name\": \"\", \"quota\": 1073741824} | 400 | invalid-argument",
        "GET    | containers?limit=0     | ''                  | 400 | invalid-argument",
        "GET    | containers?limit=1001  | ''                  | 400 | invalid-argument",
        "GET    | containers?limit=many  | ''                  | 400 | invalid-argument",
        "GET    | containers?cursor=**   | ''                  | 400 | invalid-argument",
        "GET    | exports/6b0c2f1e-0000-4000-8000-000000000000 | '' | 404 | not-found",
        "POST   | tokens                 | {\"name\": \"x\", \"role\": \"root\"} | 400 | invalid-argument",
      })
  void badInputIsAProblemThatSaysWhatIsWrong(
      String method, String path, String body, int status, String code) {
    Answer answer = server.call(method, path, body.isEmpty() ? null : body);

    assertProblem(answer, status, code);
    assertThat(answer.text("/detail")).doesNotContain("Exception").doesNotContain("io.coppice");
  }

  @Test
  void aNameThatIsTooLongIsRefused() {
    Answer answer =
        server.post(
            "containers", "{\"name\": \"%s\", \"quota\": 1073741824}".formatted("n".repeat(81)));

    assertProblem(answer, 400, "invalid-argument");
    assertThat(answer.text("/detail")).contains("80").contains("81");
  }

  @Test
  void aBodyThatIsTooLongIsRefused() {
    Answer answer = server.post("containers", "{\"name\": \"%s\"}".formatted("n".repeat(300_000)));

    assertProblem(answer, 413, "too-large");
  }

  @Test
  void anotherMediaTypeIsRefused() {
    Answer answer =
        server.callAs(
            AdminServer.ADMIN, "POST", "containers", "<a/>", "Content-Type", "application/xml");

    assertThat(answer.status()).isIn(400, 415);
    assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
  }

  @Test
  void aProblemComesWhateverTheClientAccepts() {
    Answer answer = server.call("GET", "nothing", null, "Accept", "text/html");

    assertProblem(answer, 404, "no-such-path");
  }

  @Test
  void theTraceIdOfAProblemIsInTheHeaderToo() {
    Answer answer = server.get("nothing");

    assertThat(answer.text("/traceId")).isNotEmpty().isEqualTo(answer.header("X-Trace-Id"));
  }

  @Test
  void aListIsReadInPartsThatNeitherRepeatNorMiss() {
    for (int i = 0; i < 5; i++) {
      server.container("part-" + i + "-" + UUID.randomUUID());
    }
    Answer whole = server.get("containers?limit=1000&total=true");
    var seen = new java.util.ArrayList<String>();
    String path = "containers?limit=2";
    while (true) {
      Answer part = server.get(path);
      assertThat(part.json().has("total")).isFalse();
      seen.addAll(AdminServer.texts(part, "/id"));
      JsonNode next = part.json().get("next");
      if (next.isNull()) {
        break;
      }
      path = "containers?limit=2&cursor=" + next.asString();
    }

    assertThat(seen).isEqualTo(AdminServer.texts(whole, "/id"));
    assertThat(whole.number("/total")).isEqualTo(seen.size());
  }

  @Test
  void anItemDeletedBetweenTwoPartsHidesNoOther() {
    for (int i = 0; i < 3; i++) {
      server.container("gone-" + i + "-" + UUID.randomUUID());
    }
    var ids = AdminServer.texts(server.get("containers?limit=1000"), "/id");
    String cursor = server.get("containers?limit=2").text("/next");

    server.delete("containers/" + ids.get(1));

    assertThat(AdminServer.texts(server.get("containers?limit=1000&cursor=" + cursor), "/id"))
        .isEqualTo(ids.subList(2, ids.size()));
  }

  @Test
  void aRepeatUnderTheSameKeyAnswersTheFirstResult() {
    String key = UUID.randomUUID().toString();
    String body = "{\"name\": \"%s\", \"quota\": 1073741824}".formatted(key);

    Answer first = server.call("POST", "containers", body, "Idempotency-Key", key);
    Answer again = server.call("POST", "containers", body, "Idempotency-Key", key);

    assertThat(first.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.http().body()).isEqualTo(first.http().body());
    assertThat(again.header("Location")).isEqualTo(first.header("Location")).isNotEmpty();
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
  }

  @Test
  void aKeyWithAnotherBodyIsRefusedForADay() {
    String key = UUID.randomUUID().toString();
    String name = "{\"name\": \"%s\", \"quota\": %d}";
    server.call("POST", "containers", name.formatted(key, 1L << 30), "Idempotency-Key", key);

    Answer other =
        server.call("POST", "containers", name.formatted(key, 1L << 31), "Idempotency-Key", key);

    assertProblem(other, 422, "idempotency-key-reused");
    server.control.clock.advance(Duration.ofHours(25));
    Answer later =
        server.call(
            "POST", "containers", name.formatted(key + "2", 1L << 31), "Idempotency-Key", key);
    assertThat(later.status()).isEqualTo(201);
  }

  @Test
  void aRefusedRequestMayBeRepeatedUnderItsKey() {
    String key = UUID.randomUUID().toString();
    String body = "{\"name\": \"%s\", \"quota\": 1073741824}".formatted(key);
    String taken = server.container(key);
    assertProblem(
        server.call("POST", "containers", body, "Idempotency-Key", key), 409, "name-taken");
    server.delete("containers/" + taken);

    Answer again = server.call("POST", "containers", body, "Idempotency-Key", key);

    assertThat(again.status()).isEqualTo(201);
  }

  @Test
  void aRequestThatWasCutShortIsNotRunAgain() {
    String key = UUID.randomUUID().toString();
    String body = "{\"name\": \"%s\", \"quota\": 1073741824}".formatted(key);
    server.call("POST", "containers", body, "Idempotency-Key", key);
    server
        .control
        .jdbc
        .sql("update idempotent_request set status = null, body = null where key = ?")
        .param(key)
        .update();

    Answer again = server.call("POST", "containers", body, "Idempotency-Key", key);

    assertProblem(again, 409, "first-request-unfinished");
  }

  @Test
  void aRequestThatIsToBeRepeatedMayBeRepeatedUnderItsKey() {
    String key = UUID.randomUUID().toString();
    String body = "{\"name\": \"%s\", \"quota\": 1073741824}".formatted(key);
    server.control.gate.close();
    Answer busy = server.call("POST", "containers", body, "Idempotency-Key", key);
    server.control.gate.open();
    assertThat(busy.status()).as(busy.toString()).isEqualTo(503);
    assertThat(busy.header("Retry-After")).isNotEmpty();

    Answer again = server.call("POST", "containers", body, "Idempotency-Key", key);

    assertThat(again.status()).as(again.toString()).isEqualTo(201);
  }

  @Test
  void withoutItsDatabaseItSaysSoAndStillShowsTheSystem() {
    server.database.cutOff = true;
    try {
      Answer list = server.get("containers");
      Answer change = server.call("POST", "containers", "{}", "Idempotency-Key", "x");

      assertProblem(list, 503, "database-unavailable");
      assertThat(list.header("Retry-After")).isNotEmpty();
      assertProblem(change, 503, "database-unavailable");
      assertProblem(server.callAs("other", "GET", "system", null), 503, "database-unavailable");
      assertThat(server.get("system").status()).isEqualTo(200);
    } finally {
      server.database.cutOff = false;
    }
    assertThat(server.get("containers").status()).isEqualTo(200);
  }

  static void assertProblem(Answer answer, int status, String code) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
    assertThat(answer.text("/code")).as(answer.toString()).isEqualTo(code);
    assertThat(answer.number("/status")).isEqualTo(status);
    assertThat(answer.text("/type")).isEqualTo("urn:coppice:problem:" + code);
    assertThat(answer.text("/detail")).isNotEmpty();
    assertThat(answer.text("/title")).isNotEmpty();
    assertThat(answer.text("/target")).isNotEmpty();
    assertThat(answer.text("/traceId")).isNotEmpty();
  }
}

package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Accounts, their passwords, and the sessions of browsers.
class AccountsTest {

  private static final String PASSWORD = "correct horse battery";

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// A browser that has logged in.
  private record Browser(String cookie, String csrf) {

    static Browser of(Answer opened) {
      assertThat(opened.status()).as(opened.toString()).isEqualTo(201);
      String set = opened.header("Set-Cookie");
      return new Browser(set.substring(0, set.indexOf(';')), opened.text("/csrf"));
    }

    Answer get(String path) {
      return server.callAs("", "GET", path, null, "Cookie", cookie);
    }

    Answer send(String method, String path, String body, String... more) {
      List<String> headers = new ArrayList<>(List.of("Cookie", cookie, "X-Coppice-CSRF", csrf));
      headers.addAll(List.of(more));
      return server.callAs("", method, path, body, headers.toArray(String[]::new));
    }
  }

  private static String account(String name, String role) {
    return AdminServer.made(
        server.post(
            "accounts",
            "{\"name\": \"%s\", \"role\": \"%s\", \"password\": \"%s\"}"
                .formatted(name, role, PASSWORD)));
  }

  private static Answer login(String name, String password, String... headers) {
    return server.callAs(
        "",
        "POST",
        "session",
        "{\"name\": \"%s\", \"password\": \"%s\"}".formatted(name, password),
        headers);
  }

  private static Browser browser(String name) {
    return Browser.of(login(name, PASSWORD));
  }

  private static String some() {
    return "p" + UUID.randomUUID();
  }

  private static void assertProblem(Answer answer, int status, String code) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
    assertThat(answer.text("/code")).isEqualTo(code);
  }

  @Test
  void aSessionCountsInsteadOfATokenUntilItIsClosed() {
    String name = some();
    String id = account(name, "storage-admin");
    Answer opened = login(name.toUpperCase(Locale.ROOT), PASSWORD);
    Browser anna = Browser.of(opened);

    assertThat(opened.header("Set-Cookie"))
        .startsWith("__Host-coppice-session=")
        .contains("Path=/", "Secure", "HttpOnly", "SameSite=Strict")
        .doesNotContain("Domain");
    assertThat(opened.header("Cache-Control")).isEqualTo("no-store");
    Answer me = anna.get("me");
    assertThat(me.text("/name")).isEqualTo(name);
    assertThat(me.text("/token")).isEqualTo(id);
    assertThat(me.text("/login")).isEqualTo("local");
    assertThat(me.text("/sessionEnds")).isNotEmpty();
    assertThat(anna.get("session").text("/csrf")).isEqualTo(anna.csrf());
    assertThat(anna.send("POST", "scrub/pause", null).status()).isEqualTo(200);
    assertProblem(anna.get("accounts"), 403, "forbidden");

    assertThat(anna.send("DELETE", "session", null).status()).isEqualTo(204);
    Answer after = anna.get("me");
    assertProblem(after, 401, "session-ended");
    assertThat(after.header("Set-Cookie")).contains("Max-Age=0");
    assertThat(server.get("session").status()).isEqualTo(404);
  }

  @Test
  void aChangeNeedsTheTokenOfTheSessionAndAnOriginOfOurs() {
    String name = some();
    account(name, "storage-admin");
    Browser anna = browser(name);
    String own = "http://127.0.0.1:" + server.port();

    assertProblem(
        server.callAs("", "POST", "scrub/pause", null, "Cookie", anna.cookie()), 403, "csrf");
    assertProblem(
        server.callAs(
            "", "POST", "scrub/pause", null, "Cookie", anna.cookie(), "X-Coppice-CSRF", "no"),
        403,
        "csrf");
    for (String origin : List.of("https://evil.example", "null", own + "0", own + ".evil")) {
      assertProblem(
          anna.send("POST", "scrub/pause", null, "Origin", origin), 403, "foreign-origin");
      assertProblem(login(name, PASSWORD, "Origin", origin), 403, "foreign-origin");
    }
    for (String site : List.of("cross-site", "same-site")) {
      assertProblem(
          anna.send("POST", "scrub/pause", null, "Sec-Fetch-Site", site), 403, "foreign-origin");
      assertProblem(login(name, PASSWORD, "Sec-Fetch-Site", site), 403, "foreign-origin");
    }
    assertThat(
            anna.send("POST", "scrub/pause", null, "Origin", own, "Sec-Fetch-Site", "same-origin")
                .status())
        .isEqualTo(200);
    assertThat(server.get("audit?limit=20").json().toString()).contains("csrf", name);
  }

  @Test
  void aSessionEndsWhenItIsIdleAndWhenItIsOld() {
    String name = some();
    account(name, "operator");
    Browser idle = browser(name);
    server.control.clock.advance(Duration.ofMinutes(31));

    Answer expired = idle.get("me");
    assertProblem(expired, 401, "session-ended");
    assertThat(expired.text("/detail")).contains("expired", "30m", "log in again");

    Browser busy = browser(name);
    for (int i = 0; i < 12 * 3 - 1; i++) {
      server.control.clock.advance(Duration.ofMinutes(20));
      assertThat(busy.get("me").status()).isEqualTo(200);
    }
    server.control.clock.advance(Duration.ofMinutes(20));
    Answer old = busy.get("me");
    assertProblem(old, 401, "session-ended");
    assertThat(old.text("/detail")).contains("12h after the login");
  }

  @Test
  void whatHappensToTheAccountCountsAtTheNextRequest() {
    String name = some();
    String path = "accounts/" + account(name, "storage-admin");
    Browser anna = browser(name);

    server.patch(path, "{\"role\": \"operator\"}");
    assertProblem(anna.send("POST", "scrub/pause", null), 403, "forbidden");
    String container = server.container(some());
    String foreign = server.container(some());
    server.patch(
        path, "{\"role\": \"volume-admin\", \"containers\": [\"%s\"]}".formatted(container));
    assertThat(AdminServer.texts(anna.get("containers"), "/id")).containsExactly(container);
    assertThat(anna.get("containers/" + foreign).status()).isEqualTo(404);
    server.patch(path, "{\"enabled\": false}");
    assertProblem(anna.get("me"), 401, "session-ended");
    assertProblem(login(name, PASSWORD), 401, "login-refused");
    server.patch(path, "{\"enabled\": true}");
    assertProblem(anna.get("me"), 401, "session-ended");
    Browser again = browser(name);
    server.delete(path);
    assertProblem(again.get("me"), 401, "session-ended");
    assertProblem(login(name, PASSWORD), 401, "login-refused");
  }

  @Test
  void aRoleThatIsChangedWhileABodyComesCounts() throws Exception {
    String name = some();
    String path = "accounts/" + account(name, "storage-admin");
    String container = server.container(some());
    Browser anna = browser(name);

    String answer =
        RawRequest.inTwoHalves(
            server,
            "containers/" + container,
            "Cookie: %s\r\nX-Coppice-CSRF: %s\r\n".formatted(anna.cookie(), anna.csrf()),
            "{\"name\": \"changed-meanwhile\"}",
            () -> {
              server.get("me"); // some time, in which the server begins to wait for the body
              LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
              server.patch(path, "{\"role\": \"operator\"}");
            });

    assertThat(answer).startsWith("HTTP/1.1 403").contains("forbidden");
    assertThat(server.get("containers/" + container).text("/name"))
        .isNotEqualTo("changed-meanwhile");
  }

  @Test
  void manyWrongPasswordsLeaveOthersServed() {
    String name = some();
    account(name, "operator");
    try (AdminServer flooded = new AdminServer()) {
      String body = "{\"name\": \"%s\", \"password\": \"wrong wrong wrong\"}".formatted(name);
      int looked = 0;
      for (int i = 0; i < 10_000; i++) {
        Answer answer = flooded.callAs("", "POST", "session", body);
        if (answer.status() == 401) {
          looked++;
        } else {
          assertThat(answer.status()).as(answer.toString()).isEqualTo(429);
          assertThat(answer.header("Retry-After")).matches("[1-9][0-9]*");
        }
      }

      assertThat(looked).isEqualTo(3);
      assertThat(flooded.get("me").status()).isEqualTo(200);
      assertThat(flooded.get("audit?total=true&limit=1").number("/total")).isLessThan(10);
      assertThat(flooded.metrics(AdminServer.ADMIN, "metrics").http().body())
          .contains(
              "coppice_wrong_secrets_total{kind=\"password\"} 3.0",
              "coppice_unlooked_secrets_total 9997.0");
      flooded.control.clock.advance(Duration.ofMinutes(6));
      assertThat(flooded.callAs("", "POST", "session", body).status()).isEqualTo(401);
    }
  }

  @Test
  void wrongTokensMakeWaitButNotThoseThatWereValid() {
    try (AdminServer flooded = new AdminServer()) {
      String valid = flooded.token("operator");
      assertThat(flooded.callAs(valid, "GET", "me", null).status()).isEqualTo(200);
      String other = flooded.token("operator");
      for (int i = 0; i < 20; i++) {
        assertProblem(flooded.callAs("wrong-" + i, "GET", "me", null), 401, "unauthorized");
      }

      assertProblem(flooded.callAs("wrong", "GET", "me", null), 429, "too-many-tries");
      assertProblem(flooded.callAs(other, "GET", "me", null), 429, "too-many-tries");
      assertThat(flooded.callAs(valid, "GET", "me", null).status()).isEqualTo(200);
      assertThat(flooded.get("me").status()).isEqualTo(200);
      flooded.control.clock.advance(Duration.ofSeconds(1));
      assertThat(flooded.callAs(other, "GET", "me", null).status()).isEqualTo(200);
    }
  }

  @Test
  void aNewPasswordEndsAllOtherSessions() {
    String name = some();
    String path = "accounts/" + account(name, "operator");
    Browser here = browser(name);
    Browser there = browser(name);
    String body = "{\"currentPassword\": \"%s\", \"password\": \"%s\"}";

    assertProblem(
        here.send("PUT", "me/password", body.formatted("wrong", "staple battery horse")),
        403,
        "wrong-password");
    assertThat(
            here.send("PUT", "me/password", body.formatted(PASSWORD, "staple battery horse"))
                .status())
        .isEqualTo(204);
    assertThat(here.get("me").status()).isEqualTo(200);
    assertProblem(there.get("me"), 401, "session-ended");
    assertProblem(login(name, PASSWORD), 401, "login-refused");
    assertThat(login(name, "staple battery horse").status()).isEqualTo(201);
    server.patch(path, "{\"password\": \"%s\"}".formatted(PASSWORD));
    assertProblem(here.get("me"), 401, "session-ended");
    assertProblem(server.put("me/password", body.formatted(PASSWORD, PASSWORD)), 409, "not-local");
  }

  @Test
  void administratorsSeeAndEndSessions() {
    String name = some();
    account(name, "operator");
    Browser anna = browser(name);

    Answer list = server.get("sessions?name=" + name + "&total=true");
    assertThat(list.number("/total")).isEqualTo(1);
    assertThat(list.text("/items/0/address")).isEqualTo("127.0.0.1");
    assertThat(list.http().body()).doesNotContain(anna.cookie().substring(24));
    String path = "sessions/" + list.text("/items/0/id");
    assertThat(server.delete(path).status()).isEqualTo(204);
    assertThat(server.delete(path).status()).isEqualTo(404);
    assertProblem(anna.get("me"), 401, "session-ended");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "too short",
        "with a \\u0001 control character",
        "with a \\u0000 in it that is long",
        "half a character \\ud83d",
        "0123456789012345678901234567890123456789012345678901234567890123456789012",
        "\\ud83d\\ude00\\ud83d\\ude00\\ud83d\\ude00\\ud83d\\ude00\\ud83d\\ude00"
      })
  void aTextThatCannotBeAPasswordIsRefused(String text) {
    Answer refused =
        server.post(
            "accounts",
            "{\"name\": \"%s\", \"role\": \"operator\", \"password\": \"%s\"}"
                .formatted(some(), text));

    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/target")).isEqualTo("password");
  }

  @Test
  void onlyTheWholePasswordIsRight() {
    String name = some();
    String smiles = "\\ud83d\\ude00".repeat(18); // 72 bytes
    String body = "{\"name\": \"%s\", \"role\": \"operator\", \"password\": \"%s\"}";
    AdminServer.made(server.post("accounts", body.formatted(name, smiles)));

    assertProblem(login(name, smiles + "x"), 401, "login-refused");
    assertThat(login(name, smiles).status()).isEqualTo(201);

    String repeated = some();
    AdminServer.made(server.post("accounts", body.formatted(repeated, "twelve-chars")));
    assertProblem(login(repeated, "twelve-chars\\u0001twelve-chars"), 401, "login-refused");
    assertProblem(login(repeated, "twelve-chars\\u0000twelve-chars"), 400, "invalid-argument");
    assertProblem(login(repeated, ""), 400, "invalid-argument");
    assertProblem(login(repeated, "x".repeat(1025)), 400, "invalid-argument");
    assertThat(login(repeated, "twelve-chars").status()).isEqualTo(201);

    String accent = some();
    AdminServer.made(server.post("accounts", body.formatted(accent, "caf\\u00e9-au-lait-1")));
    assertThat(login(accent, "cafe\\u0301-au-lait-1").status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Anna", "-a", "a b", "a/b", "\\u00e4nna", "..."})
  void aNameThatCannotBeIsRefused(String name) {
    Answer refused =
        server.post(
            "accounts",
            "{\"name\": \"%s\", \"role\": \"operator\", \"password\": \"%s\"}"
                .formatted(name, PASSWORD));

    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/target")).isEqualTo("name");
  }

  @Test
  void anAccountMakesTokensWithinItsOwnRights() {
    String name = some();
    String path = "accounts/" + account(name, "vm-admin");
    Browser anna = browser(name);
    String body = "{\"name\": \"%s\", \"role\": \"%s\", \"expiresInDays\": 1}";

    assertProblem(
        anna.send("POST", "tokens", body.formatted(some(), "storage-admin")), 403, "forbidden");
    Answer issued = anna.send("POST", "tokens", body.formatted(some(), "vm-admin"));
    String token = issued.text("/token");
    assertThat(token).startsWith("cop_");
    assertThat(server.callAs(token, "GET", "me", null).text("/role")).isEqualTo("vm-admin");
    assertProblem(
        server.callAs(token, "POST", "tokens", body.formatted(some(), "operator")),
        403,
        "forbidden");
    assertThat(AdminServer.texts(anna.get("tokens"), "/id"))
        .containsExactly(AdminServer.made(issued));
    String foreign =
        "tokens/" + AdminServer.made(server.post("tokens", body.formatted(some(), "operator")));
    assertThat(anna.get(foreign).status()).isEqualTo(404);
    assertThat(anna.send("DELETE", foreign, null).status()).isEqualTo(404);
    assertThat(anna.send("POST", foreign + "/rotate", null).status()).isEqualTo(404);

    server.patch(path, "{\"role\": \"operator\"}");
    assertProblem(server.callAs(token, "GET", "me", null), 401, "unauthorized");
    server.patch(path, "{\"role\": \"admin\"}");
    assertThat(server.callAs(token, "GET", "me", null).status()).isEqualTo(200);
    server.delete(path);
    assertProblem(server.callAs(token, "GET", "me", null), 401, "unauthorized");
  }

  @Test
  void aRotatedTokenCountsForAWhile() {
    String body = "{\"name\": \"%s\", \"role\": \"operator\", \"expiresInDays\": 1}";
    Answer issued = server.post("tokens", body.formatted(some()));
    String path = "tokens/" + AdminServer.made(issued);
    String first = issued.text("/token");
    String second = server.post(path + "/rotate", "{\"graceMinutes\": 10}").text("/token");

    assertThat(server.get(path).text("/beginning")).isEqualTo(second.substring(0, 8));
    assertThat(server.callAs(first, "GET", "me", null).status()).isEqualTo(200);
    assertThat(server.callAs(second, "GET", "me", null).status()).isEqualTo(200);
    server.control.clock.advance(Duration.ofMinutes(10));
    assertProblem(server.callAs(first, "GET", "me", null), 401, "unauthorized");
    String third = server.post(path + "/rotate", "{\"graceMinutes\": 0}").text("/token");
    assertProblem(server.callAs(second, "GET", "me", null), 401, "unauthorized");
    assertThat(server.callAs(third, "GET", "me", null).status()).isEqualTo(200);
    Answer again = server.call("POST", path + "/rotate", null, "Idempotency-Key", some());
    assertThat(again.text("/token")).startsWith("cop_");
    assertProblem(
        server.post(path + "/rotate", "{\"graceMinutes\": 10081}"), 400, "invalid-argument");
  }
}

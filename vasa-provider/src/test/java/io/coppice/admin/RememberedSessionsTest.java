package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sessions of browsers while the database is away.
class RememberedSessionsTest {

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

  @AfterEach
  void databaseIsBack() {
    server.database.cutOff = false;
  }

  /// Somebody who has logged in.
  private record Person(String account, Map<String, String> session) {

    static Person named(String name) {
      String account =
          AdminServer.made(
              server.post(
                  "accounts",
                  "{\"name\": \"%s\", \"role\": \"storage-admin\", \"password\": \"%s\"}"
                      .formatted(name, PASSWORD)));
      return new Person(account, login(name));
    }

    static Map<String, String> login(String name) {
      Answer opened = server.callAs("", "POST", "session", SessionHeaders.login(name, PASSWORD));
      assertThat(opened.status()).as(opened.toString()).isEqualTo(201);
      return SessionHeaders.of(opened);
    }

    Answer send(String method, String path, String body, String... more) {
      List<String> headers = new ArrayList<>(List.of(SessionHeaders.flat(session)));
      headers.addAll(List.of(more));
      return server.callAs("", method, path, body, headers.toArray(String[]::new));
    }

    Answer get(String path) {
      return send("GET", path, null);
    }

    /// A person whose session was used.
    Person seen() {
      assertThat(get("me").status()).isEqualTo(200);
      return this;
    }

    void isKnown() {
      assertThat(get("me").status()).isEqualTo(200);
    }

    void isUnknown() {
      assertAway(get("me"));
    }
  }

  private static Person somebody() {
    return Person.named("p" + UUID.randomUUID()).seen();
  }

  private static void assertAway(Answer answer) {
    RequestsTest.assertProblem(answer, 503, "database-unavailable");
  }

  private static void cutOff() {
    server.database.cutOff = true;
  }

  @Test
  void whatNeedsNoDatabaseIsReadAndNothingElseIsDone() {
    Person anna = somebody();
    cutOff();

    for (String path :
        List.of("me", "session", "system", "alerts", "version", "openapi", "session/sources")) {
      assertThat(anna.get(path).status()).as(path).isEqualTo(200);
    }
    assertThat(anna.get("me").text("/token")).isEqualTo(anna.account());
    assertThat(anna.get("session").text("/csrf")).isEqualTo(anna.session().get("X-Coppice-CSRF"));
    assertAway(anna.get("containers"));
    assertAway(anna.send("POST", "iscsi/portals/0/drain", null));
    assertAway(anna.send("POST", "scrub/pause", null));
    assertAway(anna.send("DELETE", "session", null));
    assertAway(server.callAs("", "GET", "me", null, "Cookie", "__Host-coppice-session=unknown"));
    RequestsTest.assertProblem(
        anna.send("GET", "me", null, "Origin", "https://evil.example"), 403, "foreign-origin");

    server.database.cutOff = false;
    assertThat(anna.get("containers").status()).isEqualTo(200);
  }

  @Test
  void aSessionEndsWhenItWouldHaveWithoutTheseReads() {
    Person anna = somebody();
    server.control.clock.advance(Duration.ofMinutes(20));
    anna.seen();
    cutOff();

    server.control.clock.advance(Duration.ofMinutes(29));
    anna.isKnown();
    server.control.clock.advance(Duration.ofMinutes(1));
    anna.isUnknown();
    server.database.cutOff = false;
    RequestsTest.assertProblem(anna.get("me"), 401, "session-ended");
  }

  @Test
  void aSessionEndsAtItsLatestEnd() {
    Person anna = somebody();
    for (int i = 0; i < 12 * 3 - 1; i++) {
      server.control.clock.advance(Duration.ofMinutes(20));
      anna.seen();
    }
    cutOff();

    server.control.clock.advance(Duration.ofMinutes(19));
    anna.isKnown();
    server.control.clock.advance(Duration.ofMinutes(1));
    anna.isUnknown();
  }

  @Test
  void oneThatWasNotUsedHereIsUnknown() {
    Person anna = Person.named("p" + UUID.randomUUID());
    cutOff();

    anna.isUnknown();
  }

  @Test
  void aLogoutCounts() {
    Person anna = somebody();
    Person bob = somebody();
    assertThat(anna.send("DELETE", "session", null).status()).isEqualTo(204);
    cutOff();

    anna.isUnknown();
    bob.isKnown();
  }

  @Test
  void aSessionThatAnAdministratorEndsIsUnknown() {
    Person anna = somebody();
    String id = anna.get("session").text("/id");
    assertThat(server.delete("sessions/" + id).status()).isEqualTo(204);
    cutOff();

    anna.isUnknown();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"enabled\": false}",
        "{\"role\": \"operator\"}",
        "{\"password\": \"staple battery horse\"}"
      })
  void aChangeOfTheAccountCounts(String change) {
    Person anna = somebody();
    Person bob = somebody();
    assertThat(server.patch("accounts/" + anna.account(), change).status()).isEqualTo(200);
    cutOff();

    anna.isUnknown();
    bob.isKnown();
  }

  @Test
  void aRoleIsTheOneOfTheLastRequest() {
    Person anna = somebody();
    server.patch("accounts/" + anna.account(), "{\"role\": \"operator\"}");
    anna.seen();
    cutOff();

    assertThat(anna.get("me").text("/role")).isEqualTo("operator");
  }

  @Test
  void anAccountThatIsDeletedIsUnknown() {
    Person anna = somebody();
    server.delete("accounts/" + anna.account());
    cutOff();

    anna.isUnknown();
  }

  @Test
  void anotherLoginInTheSameBrowserEndsTheFirst() {
    Person anna = somebody();
    Person bob = somebody();
    String name = bob.get("me").text("/name");
    Answer opened =
        server.callAs(
            "",
            "POST",
            "session",
            SessionHeaders.login(name, PASSWORD),
            "Cookie",
            anna.session().get("Cookie"));
    assertThat(opened.status()).isEqualTo(201);
    cutOff();

    anna.isUnknown();
  }

  @Test
  void anEndWhoseOutcomeIsNotKnownForgetsTheSession() {
    Person anna = somebody();
    Person bob = somebody();
    String id = anna.get("session").text("/id");
    cutOff();
    assertAway(server.delete("sessions/" + id));

    anna.isUnknown();
    bob.isKnown();
  }
}

package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.vasa.alert.AlertBoard;
import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSubject;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Alerts and their targets over REST.
class AlertsTest {

  private static final String MAIL =
      """
      {"name": "%s", "kind": "mail", "server": "mail.invalid:587", "user": "coppice",
       "secret": "a-pass-word", "from": "a@example.com", "to": ["b@example.com"]}
      """;

  private static TwoContainers two;
  private static AdminServer server;
  private static String pool;
  private static String own;

  @BeforeAll
  static void start() {
    two = new TwoContainers();
    server = two.server;
    AlertBoard board = server.bean(AlertBoard.class);
    board.take(
        "test",
        List.of(
            finding("pool", AlertSeverity.CRITICAL, new AlertSubject("system", "p", null, null)),
            finding("own", AlertSeverity.WARNING, container(two.own)),
            finding("other", AlertSeverity.WARNING, container(two.other))));
    pool = id("p");
    own = id(two.own);
  }

  private static AlertSubject container(String id) {
    return new AlertSubject("container", id, "named", UUID.fromString(id));
  }

  private static AlertFinding finding(String key, AlertSeverity severity, AlertSubject about) {
    return new AlertFinding(key, severity, about, "PoolSpace", Map.of("percent", "85"));
  }

  private static String id(String about) {
    return server.get("alerts?about=" + about).text("/items/0/id");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void anAlertHasCauseEffectAndRemedy() {
    Answer alert = server.get("alerts/" + pool);

    assertThat(alert.text("/severity")).isEqualTo("critical");
    assertThat(alert.text("/cause")).isEqualTo("The pool is 85 % full.");
    assertThat(alert.text("/effect")).startsWith("Writes to thin volumes fail");
    assertThat(alert.text("/remedy")).startsWith("Delete snapshots");
    assertThat(server.get("alerts?severity=critical&total=true").number("/total")).isEqualTo(1);
  }

  @Test
  void aBoundTokenSeesWhatIsAboutItsContainers() {
    assertThat(AdminServer.texts(two.as("GET", "alerts", null), "/about/id"))
        .containsExactly(two.own);
    assertThat(two.as("GET", "alerts/" + own, null).status()).isEqualTo(200);
    assertProblem(two.as("GET", "alerts/" + pool, null), 404, "not-found");
    assertProblem(two.as("POST", "alerts/" + own + "/unmute", null), 403, "forbidden");
    assertProblem(two.as("GET", "alert-targets", null), 403, "forbidden");
  }

  @Test
  void alertsAreReadWithoutTheDatabaseAndNotChanged() {
    server.database.cutOff = true;
    server.control.gate.close();
    try {
      assertThat(server.get("alerts").json().get("items")).hasSize(3);
      assertThat(server.get("alerts/" + pool).status()).isEqualTo(200);
      assertThat(server.post("alerts/" + pool + "/unmute", null).status()).isEqualTo(503);
    } finally {
      server.database.cutOff = false;
      server.control.gate.open();
    }
  }

  @Test
  void statesAreSetAndChosen() {
    Answer known = server.post("alerts/" + own + "/acknowledge", "{\"note\": \"on it\"}");
    assertThat(known.text("/state")).isEqualTo("acknowledged");
    assertThat(known.text("/acknowledgement/by")).isEqualTo("admin.token");
    assertThat(known.text("/acknowledgement/note")).isEqualTo("on it");
    assertThat(AdminServer.texts(server.get("alerts?state=acknowledged"), "/id"))
        .containsExactly(own);

    Answer events = two.as("GET", "events?object=" + own, null);
    assertThat(AdminServer.texts(events, "/sentence"))
        .containsExactly(
            "The alert PoolSpace about named was acknowledged: on it.",
            "The alert PoolSpace (warning) about named was raised; its cause was found at %s."
                .formatted(server.get("alerts/" + own).text("/since")));
    assertThat(AdminServer.texts(events, "/actor/name")).containsExactly("admin.token", "coppice");

    server.post("alerts/" + own + "/mute", "{\"until\": \"2126-01-01T00:00:00Z\"}");
    assertThat(AdminServer.texts(server.get("alerts?state=muted"), "/id")).containsExactly(own);
    assertThat(server.post("alerts/" + own + "/unmute", null).text("/state"))
        .isEqualTo("acknowledged");
  }

  @Test
  void whatIsWrongIsRefused() {
    String path = "alerts/" + pool;
    assertProblem(server.get("alerts?severity=bad"), 400, "invalid-argument");
    assertProblem(server.get("alerts?state=Active"), 400, "invalid-argument");
    assertProblem(server.post(path + "/mute", "{}"), 400, "invalid-argument");
    assertProblem(
        server.post(path + "/mute", "{\"until\": \"1999-01-01T00:00:00Z\"}"),
        400,
        "invalid-argument");
    assertProblem(
        server.post(path + "/acknowledge", "{\"note\": \"  \"}"), 400, "invalid-argument");
    assertProblem(server.post("alerts/" + UUID.randomUUID() + "/unmute", null), 404, "not-found");
  }

  @Test
  void aTargetNeverShowsItsSecrets() {
    Answer made =
        server.post(
            "alert-targets",
            """
            {"name": "hook", "kind": "webhook", "url": "https://hooks.invalid/a-secret-path",
             "secret": "a-secret-of-16-ch"}
            """);

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.text("/server")).isEqualTo("hooks.invalid:443");
    String all =
        made
            + server.get("alert-targets").toString()
            + server.get("audit?limit=100")
            + server.get("events");
    assertThat(all).contains("hook").doesNotContain("a-secret");
  }

  @Test
  void aPasswordIsNotSentToAnotherServer() {
    String path =
        "alert-targets/" + AdminServer.made(server.post("alert-targets", MAIL.formatted("move")));

    Answer refused = server.patch(path, "{\"server\": \"other.invalid:587\"}");
    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/target")).isEqualTo("secret");
    assertProblem(server.patch(path, "{\"security\": \"none\"}"), 400, "invalid-argument");
    assertThat(
            server
                .patch(path, "{\"server\": \"other.invalid:587\", \"secret\": \"another\"}")
                .text("/server"))
        .isEqualTo("other.invalid:587");
    assertThat(server.patch(path, "{\"user\": \"\"}").json().get("secret").asBoolean()).isFalse();
    assertProblem(server.post("alert-targets", MAIL.formatted("move")), 409, "name-taken");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kind     | {"name": "x", "kind": "sms"}
          url      | {"name": "x", "kind": "webhook", "secret": "a-secret-of-16-ch"}
          url      | {"name": "x", "kind": "webhook", "secret": "a-secret-of-16-ch", "url": "http://a/"}
          url      | {"name": "x", "kind": "webhook", "secret": "a-secret-of-16-ch", "url": "https://u:p@a/"}
          secret   | {"name": "x", "kind": "webhook", "url": "https://a/"}
          secret   | {"name": "x", "kind": "webhook", "url": "https://a/", "secret": "short"}
          ca       | {"name": "x", "kind": "webhook", "url": "https://a/", "secret": "a-secret-of-16-ch", "ca": "no certificate"}
          server   | {"name": "x", "kind": "webhook", "url": "https://a/", "secret": "a-secret-of-16-ch", "server": "b:1"}
          server   | {"name": "x", "kind": "mail", "server": "b:70000", "from": "a@b", "to": ["c@d"]}
          from     | {"name": "x", "kind": "mail", "server": "b:25", "from": "a@b\\r\\nBcc: e@f", "to": ["c@d"]}
          to       | {"name": "x", "kind": "mail", "server": "b:25", "from": "a@b", "to": []}
          to       | {"name": "x", "kind": "mail", "server": "b:25", "from": "a@b", "to": ["A <c@d>"]}
          security | {"name": "x", "kind": "mail", "server": "b:25", "from": "a@b", "to": ["c@d"], "user": "u", "secret": "p", "security": "none"}
          """)
  void aWrongTargetIsRefused(String field, String body) {
    Answer refused = server.post("alert-targets", body);

    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/target")).isEqualTo(field);
  }
}

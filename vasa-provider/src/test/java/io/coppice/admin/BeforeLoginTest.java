package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Answers to somebody who has not logged in: the sources of a login page, and refusals that do not
/// tell which names there are.
class BeforeLoginTest {

  private static final String PASSWORD = "correct horse battery";
  private static final String WRONG = "wrong wrong wrong";

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Answer ask(String method, String path, String body) {
    return server.callAs("", method, path, body);
  }

  private static String account(String name) {
    return AdminServer.made(
        server.post(
            "accounts",
            "{\"name\": \"%s\", \"role\": \"operator\", \"password\": \"%s\"}"
                .formatted(name, PASSWORD)));
  }

  private static String metrics() {
    return server.metrics(AdminServer.ADMIN, "metrics").http().body();
  }

  /// Hashes of passwords that the server has computed.
  private static long hashes() {
    return metrics()
        .lines()
        .filter(line -> line.startsWith("coppice_password_hashes_total "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' '))))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anUnknownNameCostsTheWorkOfAWrongPassword() {
    account("known");
    String path = "accounts/" + account("disabled");
    assertThat(server.patch(path, "{\"enabled\": false}").status()).isEqualTo(200);

    for (List<String> guess :
        List.of(
            List.of("known", WRONG),
            List.of("unknown", WRONG),
            List.of("unknown-" + UUID.randomUUID(), PASSWORD),
            List.of("disabled", PASSWORD),
            List.of("known", "x".repeat(500)),
            List.of("unknown", "x".repeat(500)),
            List.of("n".repeat(256), "x"))) {
      long before = hashes();
      Answer refused =
          ask(
              "POST",
              "session",
              "{\"name\": \"%s\", \"password\": \"%s\"}"
                  .formatted(guess.getFirst(), guess.getLast()));

      assertThat(refused.status()).as(refused.toString()).isEqualTo(401);
      assertThat(refused.text("/detail"))
          .isEqualTo("expected the name of an account and its password, got a wrong one of them");
      assertThat(hashes() - before).as("hashes for %s", guess).isOne();
    }
  }

  @Test
  void aLoginPageMayAskForTheSources() {
    Answer sources = ask("GET", "session/sources", null);

    assertThat(sources.status()).isEqualTo(200);
    assertThat(sources.json().at("/sources").size()).isOne();
    assertThat(sources.text("/sources/0/name")).isEqualTo("local");
    assertThat(sources.text("/sources/0/kind")).isEqualTo("password");
    assertThat(sources.json().at("/sources/0/begin").isNull()).isTrue();
    assertThat(ask("GET", "session/sources?source=ldap", null).text("/code"))
        .isEqualTo("unknown-parameter");
  }

  @Test
  void onlyThatOnePathIsOpen() {
    assertThat(ask("GET", "sessions", null).status()).isEqualTo(401);
    assertThat(ask("GET", "session/sources/local", null).status()).isEqualTo(401);
    assertThat(ask("PUT", "session/sources", "{}").status()).isEqualTo(401);
    assertThat(server.get("session/sources").status()).as("with a token, too").isEqualTo(200);
  }

  @Test
  void theSourcesNeedNoDatabaseAndCountAsNoGuess() {
    String before = wrong();
    server.control.gate.close();
    for (int i = 0; i < 100; i++) {
      assertThat(ask("GET", "session/sources", null).status()).isEqualTo(200);
    }
    server.control.gate.open();

    assertThat(wrong()).isEqualTo(before);
  }

  private static String wrong() {
    return metrics()
        .lines()
        .filter(line -> line.startsWith("coppice_wrong_secrets_total"))
        .toList()
        .toString();
  }
}

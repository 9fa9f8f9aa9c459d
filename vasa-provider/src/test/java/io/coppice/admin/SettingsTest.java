package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The settings over REST, and who may read them.
class SettingsTest {

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server =
        new AdminServer(
            "--coppice.database.password=PLANT-1", "--coppice.iscsi.portals[0]=192.0.2.1:3260");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static JsonNode named(Answer settings, String name) {
    return settings
        .json()
        .get("items")
        .valueStream()
        .filter(one -> one.get("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void eachHasItsValueAndItsSourceAndSecretsHaveNone() {
    Answer settings = server.callAs(server.token("storage-admin"), "GET", "settings", null);

    assertThat(settings.status()).as(settings.toString()).isEqualTo(200);
    JsonNode portal = named(settings, "coppice.iscsi.portals[0]");
    assertThat(portal.get("value").asString()).isEqualTo("192.0.2.1:3260");
    assertThat(portal.get("origin").asString()).isEqualTo("command line");
    assertThat(portal.get("defaultValue").isNull()).isTrue();
    JsonNode usual = named(settings, "coppice.pool.device-deadline");
    assertThat(usual.get("value")).isEqualTo(usual.get("defaultValue"));
    JsonNode password = named(settings, "coppice.database.password");
    assertThat(password.get("value").isNull()).isTrue();
    assertThat(password.get("secret").asBoolean()).isTrue();
    assertThat(settings.toString()).doesNotContain("PLANT");
  }

  @Test
  void whoChangesNothingMayNotReadThem() {
    for (String role : new String[] {"operator", "vm-admin"}) {
      assertProblem(server.callAs(server.token(role), "GET", "settings", null), 403, "forbidden");
    }
  }
}

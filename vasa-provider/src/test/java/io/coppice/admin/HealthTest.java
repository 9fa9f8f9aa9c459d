package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.testing.MemoryEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The health of the process, asked without a token.
class HealthTest {

  @ParameterizedTest
  @ValueSource(strings = {"livez", "readyz", "readyz/data-plane", "readyz/control-plane"})
  void everythingIsWell(String path) {
    try (AdminServer server = new AdminServer()) {
      Answer answer = ask(server, path);

      assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
      assertThat(answer.json().at("/ok").asBoolean()).isTrue();
      assertThat(answer.text("/dataPlane/reason")).isEqualTo("Volumes are served.");
      assertThat(answer.text("/controlPlane/reason")).isEqualTo("Calls are answered.");
      assertThat(answer.header("Cache-Control")).contains("no-store");
    }
  }

  @Test
  void aControlPlaneThatDoesNotAnswerIsNoReasonForARestart() {
    try (AdminServer server = new AdminServer()) {
      server.database.cutOff = true;
      server.control.gate.close();

      assertThat(ask(server, "livez").status()).isEqualTo(200);
      assertThat(ask(server, "readyz/data-plane").status()).isEqualTo(200);
      assertThat(ask(server, "readyz").status()).isEqualTo(503);
      Answer control = ask(server, "readyz/control-plane");
      assertThat(control.status()).isEqualTo(503);
      assertThat(control.json().at("/controlPlane/ready").asBoolean()).isFalse();
      assertThat(control.text("/controlPlane/reason")).isEqualTo("The gate is closed.");
      assertThat(control.json().at("/dataPlane/ready").asBoolean()).isTrue();
    }
  }

  @Test
  void aPoolThatStoppedIsAReasonForARestart() {
    try (AdminServer server = new AdminServer()) {
      ((MemoryEngine) server.control.engine).stop("The device is gone.");

      assertThat(ask(server, "livez").status()).isEqualTo(503);
      assertThat(ask(server, "readyz").status()).isEqualTo(503);
      assertThat(ask(server, "readyz/control-plane").status()).isEqualTo(200);
      Answer data = ask(server, "readyz/data-plane");
      assertThat(data.status()).isEqualTo(503);
      assertThat(data.text("/dataPlane/reason"))
          .startsWith("No volume is served since ")
          .endsWith("The device is gone.");
    }
  }

  @Test
  void otherPathsBesideTheApiDoNotExist() {
    try (AdminServer server = new AdminServer()) {
      assertThat(ask(server, "healthz").status()).isEqualTo(404);
      assertThat(server.callAs("", "GET", "livez", null).status())
          .as("inside the API")
          .isEqualTo(401);
      assertThat(server.get("livez").status()).isEqualTo(404);
    }
  }

  private static Answer ask(AdminServer server, String path) {
    return server.callAs("", "GET", "/" + path, null);
  }
}

package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The diagnosis as REST answers it.
class DiagnosisTest {

  private final AdminServer server = new AdminServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void anIdleVolumeSaysSoWithAllFigures() {
    String volume = server.volume(server.container("gold"), "disk");

    Answer answer = server.get("volumes/%s/diagnosis".formatted(volume));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().get("cause").asString()).isEqualTo("idle");
    assertThat(answer.json().get("sentence").asString()).startsWith("Nothing was read or written");
    assertThat(answer.json().get("commands").asLong()).isZero();
    assertThat(answer.json().get("device").get("percent").asInt()).isZero();
    assertThat(answer.json().get("network").isNull()).isTrue();
    assertThat(answer.json().get("neighbours").isEmpty()).isTrue();
  }

  @Test
  void whatIsNotThereOrNoWindowIsRefused() {
    String volume = server.volume(server.container("gold"), "disk");
    String path = "volumes/%s/diagnosis".formatted(volume);

    assertThat(server.get(path + "?window=PT10M").status()).isEqualTo(200);
    assertProblem(server.get(path + "?window=PT10M1S"), 400, "invalid-argument");
    assertProblem(server.get(path + "?window=PT0S"), 400, "invalid-argument");
    assertProblem(server.get(path + "?window=-PT5M"), 400, "invalid-argument");
    assertProblem(server.get(path + "?window=5m"), 400, "invalid-argument");
    assertProblem(server.get(path + "?since=x"), 400, "unknown-parameter");
    assertProblem(
        server.get("volumes/%s/diagnosis".formatted(VolumeId.random())), 404, "not-found");
    assertProblem(server.get("vms/none/diagnosis"), 404, "not-found");
  }
}

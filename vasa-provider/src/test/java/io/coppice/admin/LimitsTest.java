package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.vasa.testing.ControlPlane;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Limits over REST: what is enforced is shown, and changed beside the policy.
class LimitsTest {

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String volume(String fields) {
    String container = server.container(UUID.randomUUID().toString());
    return AdminServer.made(
        server.post(
            "volumes",
            "{\"name\": \"v\", \"size\": %d, \"container\": \"%s\"%s}"
                .formatted(ControlPlane.GIB, container, fields)));
  }

  @Test
  void limitsOfAVvolAreShownAndReplaced() {
    String path = "vvols/" + volume("") + "/limits";
    assertThat(server.get(path).json().get("maxIops").isNull()).isTrue();
    assertThat(server.get(path).number("/weight")).isEqualTo(100);

    Answer changed = server.put(path, "{\"maxIops\": 500, \"weight\": 7}");

    assertThat(changed.status()).isEqualTo(200);
    assertThat(server.get(path).number("/maxIops")).isEqualTo(500);
    assertThat(server.get(path).json().get("maxBandwidth").isNull()).isTrue();
    assertThat(server.get(path).number("/weight")).isEqualTo(7);
    assertThat(server.put(path, "{\"maxIops\": null}").json().get("maxIops").isNull()).isTrue();
    assertThat(server.get(path).number("/weight")).isEqualTo(100);
  }

  @Test
  void limitBesideThePolicyIsNotCompliant() {
    String policy =
        AdminServer.made(
            server.post(
                "policies", "{\"name\": \"%s\", \"maxIops\": 500}".formatted(UUID.randomUUID())));
    String volume = volume(", \"policy\": \"%s\"".formatted(policy));
    assertThat(server.get("vvols/" + volume + "/limits").number("/maxIops")).isEqualTo(500);

    server.put("vvols/" + volume + "/limits", "{\"maxIops\": 100}");

    Answer now = server.get("vvols/" + volume);
    assertThat(now.text("/compliance/status")).isEqualTo("nonCompliant");
    assertThat(now.text("/compliance/violations/0/expected")).isEqualTo("500");
    assertThat(now.text("/compliance/violations/0/current")).isEqualTo("100");
  }

  @Test
  void limitOfAVirtualMachineIsShownReplacedAndTakenAway() {
    String machine = UUID.randomUUID().toString();
    server.control.volume(
        server.control.container(machine), ControlPlane.GIB, Map.of("VMW_VmID", machine));
    String path = "vms/" + machine + "/limits";
    assertThat(server.get(path).json().get("maxIops").isNull()).isTrue();

    server.put(path, "{\"maxIops\": 1000, \"maxBandwidth\": 10485760}");

    assertThat(server.get(path).number("/maxIops")).isEqualTo(1000);
    assertThat(server.get(path).number("/maxBandwidth")).isEqualTo(10485760);
    assertThat(server.put(path, "{\"maxIops\": null}").json().get("maxIops").isNull()).isTrue();
    assertThat(server.get(path).json().get("maxBandwidth").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"maxIops\": 9}            | maxIops",
        "{\"maxIops\": 10000001}     | maxIops",
        "{\"maxBandwidth\": 1000}    | maxBandwidth",
        "{\"weight\": 0}             | weight",
        "{\"weight\": 1001}          | weight",
      })
  void limitsOutOfRangeAreRefused(String body, String field) {
    String path = "vvols/" + volume("") + "/limits";

    Answer refused = server.put(path, body);

    assertProblem(refused, 400, "invalid-argument");
    assertThat(refused.text("/target")).isEqualTo(field);
    assertThat(server.get(path).json().get("maxIops").isNull()).isTrue();
  }

  @Test
  void limitsOfWhatIsNotThereAreNotFound() {
    UUID unknown = UUID.randomUUID();
    assertProblem(server.get("vvols/" + unknown + "/limits"), 404, "not-found");
    assertProblem(
        server.put("vvols/" + unknown + "/limits", "{\"maxIops\": 100}"), 404, "not-found");
    assertProblem(server.get("vms/" + unknown + "/limits"), 404, "not-found");
    assertProblem(server.put("vms/" + unknown + "/limits", "{\"maxIops\": 100}"), 404, "not-found");
  }

  @Test
  void operatorMayLookAndNotChange() {
    String path = "vvols/" + volume("") + "/limits";

    String token = server.token("operator");

    assertThat(server.callAs(token, "GET", path, "").status()).isEqualTo(200);
    assertProblem(server.callAs(token, "PUT", path, "{}"), 403, "forbidden");
  }
}

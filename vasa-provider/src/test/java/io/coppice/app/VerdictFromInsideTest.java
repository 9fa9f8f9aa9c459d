package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.setting.Home;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The verdict of a whole provider on itself, with its own facts.
class VerdictFromInsideTest {

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  @Test
  void theCertificateThatIsServedAndTheDatabaseAreLookedAt() throws Exception {
    JsonNode verdict = verdict();

    Map<String, String> outcomes =
        verdict
            .get("checks")
            .valueStream()
            .collect(
                Collectors.toMap(
                    check -> check.get("topic").asString(),
                    check -> check.get("outcome").asString(),
                    (first, _) -> first));
    assertThat(outcomes)
        .as(verdict.toString())
        .containsEntry("service-io", "ok")
        .containsEntry("control", "ok")
        .containsEntry("chain", "ok")
        .containsEntry("expiry", "ok")
        .containsEntry("names", "ok")
        .containsKeys("clock", "trust", "clients")
        .doesNotContainKey("database");
    assertThat(verdict.get("sentence").asString()).isNotBlank();
  }

  private static JsonNode verdict() throws Exception {
    HttpClient http = HttpClient.newBuilder().sslContext(VasaClient.context(null)).build();
    URI uri =
        URI.create(
            "https://127.0.0.1:%d/api/v1/system/verdict"
                .formatted(provider.get().managementPort()));
    String token = Home.secret(provider.get().home().resolve("admin.token"));
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + token).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(answer.body());
  }
}

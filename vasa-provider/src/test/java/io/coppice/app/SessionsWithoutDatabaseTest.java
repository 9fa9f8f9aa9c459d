package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.database.EmbeddedPostgres;
import io.coppice.app.setting.Home;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Sessions of browsers while the database is stopped, and after it is back.
@Timeout(240)
class SessionsWithoutDatabaseTest {

  private static final String PASSWORD = "correct horse battery";

  @TempDir Path folder;

  private TestProvider provider;
  private HttpClient http;
  private Map<String, String> administrator;

  @Test
  void aSessionReadsWhatNeedsNoDatabaseUntilItIsClosed() throws Exception {
    try (TestProvider started =
        TestProvider.start(folder, "--coppice.database.patience=250ms").ready()) {
      provider = started;
      http = HttpClient.newBuilder().sslContext(VasaClient.context(null)).build();
      administrator =
          Map.of("Authorization", "Bearer " + Home.secret(folder.resolve("admin.token")));
      Map<String, String> anna = person("anna");
      Map<String, String> bob = person("bob");
      assertThat(status(anna, "GET", "containers")).isEqualTo(200);
      assertThat(status(bob, "GET", "containers")).isEqualTo(200);

      stopDatabase();
      for (String path : List.of("me", "session", "system", "alerts", "iscsi")) {
        assertThat(status(anna, "GET", path)).as(path).isEqualTo(200);
      }
      assertThat(status(anna, "GET", "containers")).isEqualTo(503);
      assertThat(status(anna, "POST", "scrub/pause")).isEqualTo(503);

      letDatabaseComeBack();
      assertThat(status(anna, "DELETE", "session")).isEqualTo(204);
      assertThat(status(bob, "GET", "containers")).isEqualTo(200);

      stopDatabase();
      assertThat(status(anna, "GET", "me")).isEqualTo(503);
      assertThat(status(bob, "GET", "me")).isEqualTo(200);
      letDatabaseComeBack();
    }
  }

  /// Stops the database. Without the file of its password the provider does not start it again.
  private void stopDatabase() throws IOException {
    Files.move(folder.resolve("database.password"), folder.resolve("database.password.away"));
    new EmbeddedPostgres(folder, InstantSource.system()).stop();
  }

  private void letDatabaseComeBack() throws IOException {
    provider.await("the loss is noticed", () -> !(provider.state() instanceof ControlPlane.Ready));
    Files.move(folder.resolve("database.password.away"), folder.resolve("database.password"));
    provider.ready();
  }

  /// Somebody who has logged in.
  private Map<String, String> person(String name) throws Exception {
    String login = "{\"name\": \"%s\", \"password\": \"%s\"}".formatted(name, PASSWORD);
    HttpResponse<String> made =
        send(administrator, "POST", "accounts", login.replace("}", ", \"role\": \"admin\"}"));
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    HttpResponse<String> opened = send(Map.of(), "POST", "session", login);
    assertThat(opened.statusCode()).as(opened.body()).isEqualTo(201);
    String cookie = opened.headers().firstValue("Set-Cookie").orElseThrow();
    JsonNode session = JsonMapper.shared().readTree(opened.body());
    return Map.of(
        "Cookie",
        cookie.substring(0, cookie.indexOf(';')),
        "X-Coppice-CSRF",
        session.get("csrf").asString());
  }

  private int status(Map<String, String> caller, String method, String path) throws Exception {
    return send(caller, method, path, "").statusCode();
  }

  private HttpResponse<String> send(
      Map<String, String> caller, String method, String path, String body) throws Exception {
    URI uri =
        URI.create("https://127.0.0.1:%d/api/v1/%s".formatted(provider.managementPort(), path));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    caller.forEach(request::header);
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}

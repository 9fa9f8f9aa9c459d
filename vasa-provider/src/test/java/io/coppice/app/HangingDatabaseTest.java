package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.database.DatabaseAccess;
import io.coppice.app.database.EmbeddedPostgres;
import io.coppice.app.setting.Home;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Requests while the database hangs: its processes are there, and nothing answers.
@Timeout(240)
class HangingDatabaseTest {

  /// Within the driver's own time for a statement, which is a minute.
  private static final int MILLIS = 45_000;

  @TempDir Path folder;

  @Test
  void whatWaitsForItIsAnsweredBeforeTheDriverGivesUp() throws Exception {
    try (TestProvider provider =
            TestProvider.start(folder, "--coppice.database.patience=250ms").ready();
        Connection beside = beside()) {
      beside.setNetworkTimeout(Runnable::run, MILLIS);
      HttpClient http = HttpClient.newBuilder().sslContext(VasaClient.context(null)).build();
      assertThat(containers(provider, http).join().statusCode()).isEqualTo(200);

      CompletableFuture<HttpResponse<String>> answer;
      List<String> processes = processes();
      signal("STOP", processes);
      try {
        answer = containers(provider, http);
        // The common pool may have one thread, which the HTTP client needs.
        CompletableFuture<Void> driver =
            CompletableFuture.runAsync(() -> ask(beside), task -> Thread.ofPlatform().start(task));

        assertThat(CompletableFuture.anyOf(answer, driver).handle((first, _) -> first).join())
            .as("the first to be answered")
            .isInstanceOf(HttpResponse.class);
        assertThat(answer.join().statusCode()).as(answer.join().body()).isEqualTo(503);
      } finally {
        signal("CONT", processes);
      }
      provider.await(
          "the loss is noticed", () -> !(provider.state() instanceof ControlPlane.Ready));
      provider.ready();
      assertThat(containers(provider, http).join().statusCode()).isEqualTo(200);
    }
  }

  private static void ask(Connection connection) {
    try (var statement = connection.createStatement()) {
      statement.executeQuery("select 1");
    } catch (java.sql.SQLException e) {
      throw new CompletionException(e);
    }
  }

  private Connection beside() throws IOException {
    EmbeddedPostgres.Server server = EmbeddedPostgres.running(folder).orElseThrow();
    return new DatabaseAccess(server.url(), server.user(), server.password()).connect();
  }

  /// The server, and the processes of its connections.
  private List<String> processes() throws IOException {
    String pid = Files.readAllLines(folder.resolve("database/postmaster.pid")).getFirst().strip();
    List<String> all = new ArrayList<>(List.of(pid));
    ProcessHandle.of(Long.parseLong(pid))
        .orElseThrow()
        .children()
        .forEach(one -> all.add("" + one.pid()));
    return all;
  }

  private static void signal(String name, List<String> processes) throws Exception {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    command.addAll(processes);
    new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  private CompletableFuture<HttpResponse<String>> containers(TestProvider provider, HttpClient http)
      throws IOException {
    URI uri =
        URI.create("https://127.0.0.1:%d/api/v1/containers".formatted(provider.managementPort()));
    return http.sendAsync(
        HttpRequest.newBuilder(uri)
            .header("Authorization", "Bearer " + Home.secret(folder.resolve("admin.token")))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}

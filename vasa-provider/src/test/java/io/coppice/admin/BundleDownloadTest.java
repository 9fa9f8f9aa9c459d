package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.testing.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Support bundles over REST: who gets one, one at a time, and what the audit trail has of it.
@Timeout(120)
class BundleDownloadTest {

  private static final String PATH = "support-bundle";

  private static AdminServer server;
  private static ScriptedBundles bundles;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    bundles = server.bean(ScriptedBundles.class);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void itIsAFileWithANameAndNothingIsLeftBehind() {
    Answer answer = server.get(PATH);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).isEqualTo("application/zip");
    assertThat(answer.header("Content-Disposition"))
        .matches("attachment; filename=\"coppice-support-\\d{8}T\\d{6}Z\\.zip\"");
    assertThat(answer.header("Content-Length"))
        .isEqualTo(Integer.toString(ScriptedBundles.CONTENT.length()));
    assertThat(answer.http().body()).isEqualTo(ScriptedBundles.CONTENT);
    Path made = bundles.last();
    assertThat(made).isNotNull();
    Await.until("nothing is left of it once it is sent", () -> Files.notExists(made));
  }

  @Test
  void onlyAdministratorsGetOneAndTheAuditTrailHasEachWhoAsked() {
    for (String role : List.of("operator", "vm-admin", "storage-admin")) {
      assertProblem(server.callAs(server.token(role), "GET", PATH, null), 403, "forbidden");
      awaitEntry("refused", "forbidden");
    }
    assertThat(server.callAs("", "GET", PATH, null).status()).isEqualTo(401);

    server.get(PATH);

    awaitEntry("done", "");
  }

  /// An entry is written once the answer has gone out.
  private static void awaitEntry(String outcome, String code) {
    Await.until(
        "the trail ends with it: %s %s".formatted(outcome, code),
        () -> newest().equals(List.of("GET /support-bundle", outcome, code)));
  }

  private static List<String> newest() {
    var entry = server.get("audit?limit=1").json().at("/items/0");
    return List.of(
        entry.path("action").asString(),
        entry.path("outcome").asString(),
        entry.path("code").asString(""));
  }

  @Test
  void aSecondOneAtTheSameTimeIsRefused() throws Exception {
    ScriptedBundles.Held held = bundles.holdNext();
    CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> server.get(PATH));
    held.arrived().await();

    assertProblem(server.get(PATH), 409, "bundle-under-way");

    held.released().countDown();
    assertThat(first.get().status()).isEqualTo(200);
    // The client has all of it a moment before the server knows that.
    Await.until("the next one is made once it is sent", () -> server.get(PATH).status() == 200);
  }

  @Test
  void afterAFailureTheNextOneIsMade() {
    bundles.fail(true);
    assertProblem(server.get(PATH), 500, "internal");
    bundles.fail(false);

    assertThat(server.get(PATH).status()).isEqualTo(200);
  }

  @Test
  void whoTakesNoZipIsTold() {
    assertProblem(
        server.call("GET", PATH, null, "Accept", "application/json"), 406, "not-acceptable");
    assertThat(server.call("GET", PATH, null, "Accept", "application/zip").status()).isEqualTo(200);
  }
}

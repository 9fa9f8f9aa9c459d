package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands of runbooks: what is sent and printed.
class RunbookCommandTest {

  private static final String ID = "11111111-2222-4333-8444-555555555555";
  private static final String RUN = "aaaaaaaa-2222-4333-8444-555555555555";
  private static final String PATH = "/replication/runbooks/" + ID;

  private static final String RUNBOOK =
      """
      {"id": "%s", "name": "lost", "steps": [{"groups": ["%s"], "pause": "PT0S"}], "exports": [],
       "exportTests": [], "schedule": {"at": "02:00", "zone": "UTC", "days": ["monday"]},
       "holdFor": "PT10M", "oldest": null, "next": "2026-01-05T02:00:00Z",
       "tested": "2026-01-01T00:00:00Z", "testState": "failed", "testSentence": "step 1 failed",
       "goesOn": null}"""
          .formatted(ID, ID);

  @TempDir private Path folder;
  private ScriptedServer server;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void start() throws Exception {
    server = new ScriptedServer(folder);
    server.when(
        "GET /replication/runbooks?name=lost&limit=1000",
        200,
        "{\"items\": [%s], \"next\": null}".formatted(RUNBOOK));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String... args) throws Exception {
    out.reset();
    err.reset();
    return ScriptedClient.run(server, folder, out, err, args);
  }

  private String sent() {
    return server.asked.getLast().body();
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  private static String report(String kind, String state, String sentence) {
    return """
        {"id": "%s", "runbook": "%s", "number": 7, "kind": "%s", "state": "%s", "planned": false,
         "by": "admin", "begun": "2026-01-01T00:00:00Z", "ended": null, "failedStep": null,
         "sentence": %s, "testsOpen": false, "steps": [{"number": 1, "groups": [
          {"group": "%s", "name": "shop", "outcome": "missing", "replica": null, "taken": null,
           "age": "PT1H", "took": null, "exported": 0, "sentences": ["it is old", "LUN 1 is taken"]}]}]}
        """
        .formatted(RUN, ID, kind, state, sentence, ID);
  }

  @Test
  void aRunbookIsMadeOfLines() throws Exception {
    server.when("POST /replication/runbooks", 201, RUNBOOK);

    int status =
        run(
            "runbook",
            "create",
            "lost",
            "--step",
            "directory, db pause 30s",
            "--step",
            "web shop",
            "--export",
            "db to db-cluster lun 10",
            "--export",
            "web shop to host web-1",
            "--test-export",
            "db to host-group sandbox",
            "--schedule",
            "weekly mon,thursday 2:00 Europe/Berlin",
            "--hold",
            "10m",
            "--oldest",
            "15m");

    assertThat(status).as(text(err)).isZero();
    assertThat(sent())
        .isEqualTo(
            """
            {"name":"lost","steps":[{"groups":["directory","db"],"pause":"PT30S"},\
            {"groups":["web shop"]}],"exports":[{"group":"db","hostGroup":"db-cluster","lun":10},\
            {"group":"web shop","host":"web-1"}],"exportTests":[{"group":"db","hostGroup":"sandbox"}],\
            "schedule":{"at":"02:00","zone":"Europe/Berlin","days":["monday","thursday"]},\
            "holdFor":"PT10M","oldest":"PT15M"}""");
    assertThat(text(out)).contains("weekly mon 02:00 UTC", "failed", ID);
  }

  @Test
  void noneTakesAway() throws Exception {
    server.when("PATCH " + PATH, 200, RUNBOOK);

    assertThat(
            run(
                "runbook",
                "change",
                "lost",
                "--export",
                "none",
                "--schedule",
                "none",
                "--oldest",
                "none"))
        .as(text(err))
        .isZero();
    assertThat(sent()).isEqualTo("{\"exports\":[],\"scheduled\":false,\"oldest\":\"\"}");
    assertThat(run("runbook", "change", "lost", "--schedule", "daily 4:30")).isZero();
    assertThat(sent()).contains("\"at\":\"04:30\",\"zone\":\"UTC\",\"days\":[]");
  }

  @Test
  void linesThatAreNoneAreRefused() throws Exception {
    assertThat(run("runbook", "change", ID, "--schedule", "hourly 5")).isEqualTo(2);
    assertThat(text(err)).contains("expected --schedule", "hourly 5");
    assertThat(run("runbook", "change", ID, "--schedule", "weekly mo 02:00")).isEqualTo(2);
    assertThat(run("runbook", "change", ID, "--schedule", "daily two")).isEqualTo(2);
    assertThat(run("runbook", "change", ID, "--export", "db")).isEqualTo(2);
    assertThat(text(err)).contains("expected --export", "got 'db'");
    assertThat(run("runbook", "change", ID, "--step", "db pause soon")).isEqualTo(2);
    assertThat(run("runbook", "change", ID, "--step", " ")).isEqualTo(2);
    assertThat(server.asked).isEmpty();
  }

  @Test
  void aRunAsksFirst() throws Exception {
    server.when("POST " + PATH + "/run", 202, report("run", "running", "null"));

    assertThat(run("runbook", "run", "lost")).as("nobody answers").isEqualTo(2);
    assertThat(text(err)).contains("expected yes, or --yes");
    assertThat(server.asked).noneMatch(asked -> asked.toString().contains("/run"));
    assertThat(run("runbook", "run", "lost", "--yes", "--planned")).as(text(err)).isZero();
    assertThat(sent()).isEqualTo("{\"planned\":true}");
    assertThat(text(out)).contains("running", "admin", RUN);
    assertThat(run("runbook", "run", "lost", "--yes")).isZero();
    assertThat(sent()).isEmpty();
  }

  @Test
  void aCheckSaysWhatIsMissing() throws Exception {
    server
        .when("POST " + PATH + "/check", 200, report("check", "failed", "\"step 1: it is old\""))
        .when("GET " + PATH + "/runs/" + RUN, 200, report("test", "succeeded", "null"));

    assertThat(run("runbook", "check", "lost")).isEqualTo(7);
    assertThat(text(out))
        .contains("shop", "missing", "1h", "it is old; LUN 1 is taken")
        .endsWith("check 7: failed, step 1: it is old\n");
    assertThat(text(err)).contains("something is missing: step 1");
    assertThat(run("runbook", "report", "lost", RUN)).as(text(err)).isZero();
    assertThat(text(out)).endsWith("test 7: succeeded\n");
    assertThat(run("runbook", "report", "lost", RUN, "-o", "json")).isZero();
    assertThat(text(out)).startsWith("{");
    assertThat(run("runbook", "report", "lost", RUN, "-o", "name")).isZero();
    assertThat(text(out)).isEqualTo(RUN + "\n");
  }

  @Test
  void aTestIsBegunAndEnded() throws Exception {
    server
        .when("POST " + PATH + "/test", 202, report("test", "running", "null"))
        .when("DELETE " + PATH + "/test", 200, report("test", "holding", "null"))
        .when("DELETE " + PATH, 204, "");

    assertThat(run("runbook", "test", "lost")).as(text(err)).isZero();
    assertThat(run("runbook", "end-test", "lost")).as(text(err)).isZero();
    assertThat(text(out)).contains("holding");
    assertThat(run("runbook", "remove", "lost")).as(text(err)).isZero();
    assertThat(text(out)).isEqualTo("runbook lost is removed\n");
  }
}

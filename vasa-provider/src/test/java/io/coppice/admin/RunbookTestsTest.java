package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static io.coppice.admin.RunbookSites.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.source.RunbookSource;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.replication.runbook.PoolRunbooks;
import io.coppice.vasa.replication.runbook.Runbooks;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Tests of runbooks: their hold, their end, their schedule, and what restarts leave of them.
class RunbookTestsTest {

  private static RunbookSites sites;
  private static AdminServer server;

  @BeforeAll
  static void start() {
    sites = new RunbookSites();
    server = sites.target;
  }

  @AfterAll
  static void stop() {
    sites.close();
  }

  private static String exported(String group, String host) {
    return ", \"exportTests\": [{\"group\": \"%s\", \"host\": \"%s\"}]".formatted(group, host);
  }

  private static int exports() {
    return server.get("exports").json().get("items").size();
  }

  private static List<AlertFinding> alerts() {
    return new RunbookSource(server.bean(Runbooks.class)).look();
  }

  @Test
  void testHoldsUntilItIsEnded() {
    String group = sites.groupWithMachine("held");
    sites.host("sandbox");
    String runbook =
        sites.runbook(
            "holding", List.of(group), ", \"holdFor\": \"PT24H\"" + exported("held", "sandbox"));
    int before = exports();
    String run = sites.begun(runbook, "test");
    sites.awaitState(runbook, run, "holding");
    assertThat(sites.state(group)).isEqualTo("INTEST");
    assertThat(exports()).as("the machine's disk is not exported").isEqualTo(before + 1);
    assertThat(server.get(runbook).text("/goesOn")).isEqualTo(run);
    assertProblem(server.post(runbook + "/run", null), 409, "in-use");
    assertProblem(server.patch(runbook, "{\"name\": \"other\"}"), 409, "in-use");
    assertProblem(server.delete(runbook), 409, "in-use");

    assertThat(server.delete(runbook + "/test").status()).isEqualTo(200);

    JsonNode report = sites.awaited(runbook, run);
    assertThat(report.get("state").asString()).as(report.toString()).isEqualTo("succeeded");
    assertThat(report.get("testsOpen").asBoolean()).isFalse();
    assertThat(sites.state(group)).isEqualTo("TARGET");
    assertThat(exports()).isEqualTo(before);
    assertProblem(server.delete(runbook + "/test"), 409, "replication-state");
    assertThat(server.get(runbook).text("/testState")).isEqualTo("succeeded");
    JsonNode again = secondHold(runbook);
    assertThat(again.get("state").asString()).as(again.toString()).isEqualTo("succeeded");
  }

  private static JsonNode secondHold(String runbook) {
    String run = sites.begun(runbook, "test");
    sites.awaitState(runbook, run, "holding");
    server.delete(runbook + "/test");
    return sites.awaited(runbook, run);
  }

  @Test
  void failedStepEndsTheTestsThatBeganAndRaisesAnAlert() {
    String first = sites.group("ends", 1);
    String second = sites.group("tested", 1);
    String runbook = sites.runbook("alarming", List.of(first, second), "");
    server.post("replication/groups/" + second + "/test", null);

    JsonNode report = sites.ended(runbook, "test");

    assertThat(report.get("state").asString()).isEqualTo("failed");
    assertThat(report.get("failedStep").asInt()).isEqualTo(2);
    assertThat(sites.state(first)).isEqualTo("TARGET");
    assertThat(sites.state(second)).as("somebody else's test goes on").isEqualTo("INTEST");
    assertThat(alerts())
        .filteredOn(alert -> alert.parameters().containsValue("alarming"))
        .singleElement()
        .satisfies(
            alert -> assertThat(alert.parameters().get("what")).contains("step 2", "tested"));
    assertThat(AdminServer.texts(server.get("events?limit=5"), "/sentence"))
        .anyMatch(sentence -> sentence.contains("alarming") && sentence.contains("failed: step 2"));

    server.delete("replication/groups/" + second + "/test");
    assertThat(sites.ended(runbook, "test").get("state").asString()).isEqualTo("succeeded");
    assertThat(alerts()).noneMatch(alert -> alert.parameters().containsValue("alarming"));
  }

  @Test
  void testThatCannotBeEndedStaysOpenUntilItCan() {
    String group = sites.group("stuck", 1);
    String runbook = sites.runbook("stuck", List.of(group), ", \"holdFor\": \"PT24H\"");
    String run = sites.begun(runbook, "test");
    sites.awaitState(runbook, run, "holding");
    String volume = server.get("replication/groups/" + group).text("/volumes/0");
    server.post(
        "exports",
        "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.test:curious\"]}".formatted(volume));
    server.delete(runbook + "/test");

    JsonNode report = sites.awaited(runbook, run);

    assertThat(report.get("state").asString()).isEqualTo("failed");
    assertThat(report.get("sentence").asString()).contains("not ended", "stuck");
    assertThat(report.get("testsOpen").asBoolean()).isTrue();
    assertProblem(server.patch(runbook, "{\"name\": \"other\"}"), 409, "in-use");
    server.delete("exports/" + volume);
    assertThat(server.delete(runbook + "/test").json().get("testsOpen").asBoolean()).isFalse();
    assertThat(sites.state(group)).isEqualTo("TARGET");
  }

  @Test
  void oldReplicaFailsATest() {
    String group = sites.group("aged", 1);
    String runbook = sites.runbook("aged", List.of(group), ", \"oldest\": \"PT1H\"");
    server.control.clock.advance(Duration.ofHours(2));

    JsonNode report = sites.ended(runbook, "test");

    assertThat(report.get("sentence").asString()).contains("old, and PT1H is the most");
    assertThat(sites.state(group)).isEqualTo("TARGET");
  }

  @Test
  void scheduledTestBeginsAtItsTimeAndIsNotMadeUpFor() {
    String group = sites.group("nightly", 1);
    String runbook =
        sites.runbook(
            "nightly", List.of(group), ", \"schedule\": {\"at\": \"02:00\", \"zone\": \"UTC\"}");
    PoolRunbooks pool = server.bean(PoolRunbooks.class);
    pool.rounds().round();
    toTwo(Duration.ofSeconds(-1));
    pool.rounds().round();
    assertThat(runs(runbook)).isZero();

    server.control.clock.advance(Duration.ofSeconds(2));
    pool.rounds().round();
    pool.rounds().round();
    RunbookSites.await(() -> !server.get(runbook).json().get("tested").isNull());

    assertThat(runs(runbook)).isEqualTo(1);
    assertThat(server.get(runbook + "/runs").text("/items/0/by")).isEqualTo("coppice");
    assertThat(server.get(runbook).text("/testState")).isEqualTo("succeeded");
    toTwo(Duration.ofMinutes(3));
    PoolRunbooks after = restarted(); // it was down at two o'clock
    after.rounds().round();
    assertThat(runs(runbook)).isEqualTo(1);
    toTwo(Duration.ofMinutes(6)); // the machine stood still
    after.rounds().round();
    assertThat(runs(runbook)).isEqualTo(1);
    server.control.gate.close();
    toTwo(Duration.ofSeconds(1));
    after.rounds().round();
    server.control.gate.open();
    assertThat(runs(runbook)).isEqualTo(1);
    after.rounds().round();
    RunbookSites.await(() -> runs(runbook) == 2);
    sites.awaited(runbook, server.get(runbook + "/runs").text("/items/0/id"));
    after.close();
  }

  private static void toTwo(Duration after) {
    var clock = server.control.clock;
    Duration day = Duration.ofDays(1);
    long now = Math.floorMod(clock.instant().getEpochSecond(), day.toSeconds());
    clock.advance(
        day.minusSeconds(now).plusHours(2).plus(after).plusSeconds(now > 7200 ? 0 : -86_400));
  }

  private static int runs(String runbook) {
    return server.get(runbook + "/runs").json().get("items").size();
  }

  /// The runbooks as another process finds them.
  private static PoolRunbooks restarted() {
    return RunbookBeans.pool(server.control, server.bean(ReplicationGroups.class));
  }

  @Test
  void restartEndsTheTestsOfATestThatWasCut() {
    String group = sites.group("cut-test", 1);
    sites.host("cut-sandbox");
    String runbook =
        sites.runbook(
            "cut test",
            List.of(group),
            ", \"holdFor\": \"PT24H\"" + exported(group, "cut-sandbox"));
    PoolRunbooks first = restarted();
    UUID id = UUID.fromString(runbook.substring(RunbookSites.RUNBOOKS.length() + 1));
    String run = first.runs().test(id).id().toString();
    sites.awaitState(runbook, run, "holding");

    first.close();

    assertThat(sites.state(group)).isEqualTo("INTEST");
    assertThat(sites.report(runbook, run).get("state").asString()).isEqualTo("holding");
    PoolRunbooks second = restarted();
    second.rounds().round();
    JsonNode report = sites.report(runbook, run);
    assertThat(report.get("state").asString()).isEqualTo("cut");
    assertThat(report.get("sentence").asString()).contains("cut by a restart");
    assertThat(sites.state(group)).isEqualTo("TARGET");
    assertThat(alerts()).noneMatch(alert -> alert.parameters().containsValue("cut test"));
    second.close();
  }

  @Test
  void restartShowsARunThatWasCut() {
    String first = sites.group("cut-first", 1);
    String second = sites.group("cut-second", 1);
    String runbook = sites.runbook("cut run", List.of(first, second), "");
    server.patch(
        runbook,
        "{\"steps\": [{\"groups\": [\"%s\"], \"pause\": \"PT1H\"}, {\"groups\": [\"%s\"]}]}"
            .formatted(first, second));
    PoolRunbooks before = restarted();
    UUID id = UUID.fromString(runbook.substring(RunbookSites.RUNBOOKS.length() + 1));
    String run = before.runs().run(id, false).id().toString();
    RunbookSites.await(() -> outcome(sites.report(runbook, run), 1).equals("done"));

    before.close();
    PoolRunbooks after = restarted();
    after.runs().settleAll();

    JsonNode report = sites.report(runbook, run);
    assertThat(report.get("state").asString()).isEqualTo("cut");
    assertThat(report.get("sentence").asString()).contains("run it again to go on");
    assertThat(outcome(report, 2)).isEqualTo("waiting");
    assertThat(sites.state(second)).isEqualTo("TARGET");
    server.patch(runbook, "{\"steps\": [{\"groups\": [\"%s\", \"%s\"]}]}".formatted(first, second));
    assertThat(sites.ended(runbook, "run").get("state").asString()).isEqualTo("succeeded");
    assertThat(sites.state(second)).isEqualTo("FAILEDOVER");
    after.close();
  }

  @Test
  void thirtyReportsStayAndTheLastTest() {
    String group = sites.group("many", 1);
    String runbook = sites.runbook("many", List.of(group), "");
    String test = sites.begun(runbook, "test");
    sites.awaited(runbook, test);
    for (int i = 0; i < 35; i++) {
      server.post(runbook + "/check", null);
    }

    JsonNode all = server.get(runbook + "/runs?limit=100").json().get("items");

    assertThat(all).hasSize(31);
    assertThat(all.get(30).get("id").asString()).isEqualTo(test);
    assertThat(all.get(0).get("number").asLong()).isEqualTo(36);
  }

  @Test
  void recordsThatNobodyCanReadAreLeftOut() {
    String group = sites.group("hostile", 1);
    String runbook = sites.runbook("hostile", List.of(group), "");
    String id = runbook.substring(RunbookSites.RUNBOOKS.length() + 1);
    String plan =
        """
        {"id": "%s", "plan": {"name": "evil", "steps": %s, "exports": [], "exportTests": [],
         "schedule": null, "holdFor": "%s", "oldest": null}}
        """;
    String steps = "[{\"groups\": [\"%s\"], \"pause\": \"PT0S\"}]".formatted(group);
    int before = server.get(RunbookSites.RUNBOOKS).json().get("items").size();
    for (String text :
        List.of(
            "",
            "null",
            "[[[[",
            "{}",
            plan.formatted(UUID.randomUUID(), steps, "PT0S"), // another runbook's
            plan.formatted("%s", "[]", "PT0S"),
            plan.formatted("%s", "[null]", "PT0S"),
            plan.formatted("%s", steps.replace("PT0S", "PT2H"), "PT0S"),
            plan.formatted("%s", steps, "P9D"))) {
      UUID key = UUID.randomUUID();
      put("replication/runbook/" + key, text.replace("%s", key.toString()));
    }
    put("replication/runbook/none", plan.formatted(UUID.randomUUID(), steps, "PT0S"));
    put("replication/run/" + id + "/" + UUID.randomUUID(), "{\"state\": \"RUNNING\"}");
    put("replication/run/" + id + "/" + UUID.randomUUID() + "/01", "{\"number\": 0}");
    put("replication/run/" + id + "/x/y/z", "[]");

    assertThat(server.get(RunbookSites.RUNBOOKS).json().get("items")).hasSize(before);
    assertThat(server.get(runbook + "/runs").json().get("items")).isEmpty();
    assertThat(sites.ended(runbook, "test").get("state").asString()).isEqualTo("succeeded");
  }

  private static void put(String key, String text) {
    server
        .control
        .engine
        .records()
        .apply(OperationId.random(), List.of(new RecordChange.Put(key, text)));
  }
}

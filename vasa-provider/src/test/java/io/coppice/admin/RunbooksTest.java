package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static io.coppice.admin.RunbookSites.RUNBOOKS;
import static io.coppice.admin.RunbookSites.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Runbooks over REST: what there is, checks, and runs for real.
class RunbooksTest {

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

  @Test
  void runbookIsMadeChangedAndRemoved() {
    String group = sites.group("life", 1);
    String host = sites.host("life-host");
    String path =
        sites.runbook(
            "life",
            List.of("life"),
            """
            , "exports": [{"group": "life", "host": "life-host", "lun": 7}], "holdFor": "PT10M",
            "schedule": {"at": "02:00", "zone": "Europe/Berlin", "days": ["monday"]},
            "oldest": "PT15M"
            """);

    Answer shown = server.get(path);
    assertThat(shown.text("/steps/0/groups/0")).as("names became ids").isEqualTo(group);
    assertThat(shown.text("/exports/0/host")).isEqualTo(host);
    assertThat(shown.text("/schedule/days/0")).isEqualTo("monday");
    assertThat(shown.text("/next")).isEqualTo("2026-11-23T01:00:00Z");
    Answer changed =
        server.patch(path, "{\"name\": \"lives\", \"scheduled\": false, \"oldest\": \"\"}");
    assertThat(changed.text("/name")).as(changed.toString()).isEqualTo("lives");
    assertThat(changed.json().get("schedule").isNull()).isTrue();
    assertThat(changed.json().get("oldest").isNull()).isTrue();
    assertThat(changed.text("/exports/0/lun")).isEqualTo("7");
    assertThat(server.get(RUNBOOKS + "?name=lives").json().get("items")).hasSize(1);
    assertProblem(
        server.call("DELETE", path, null, "If-Match", shown.header("ETag")),
        412,
        "changed-meanwhile");

    server.post(path + "/check", null);
    assertThat(server.delete(path).status()).isEqualTo(204);
    assertProblem(server.get(path), 404, "not-found");
    assertProblem(server.get(path + "/runs"), 404, "not-found");
    assertThat(sites.state(group)).isEqualTo("TARGET");
  }

  @Test
  void badRunbooksAreRefused() {
    sites.group("bad", 1);
    sites.host("bad-host");
    sites.runbook("taken", List.of("bad"), "");
    String step = "[{\"groups\": [\"bad\"]}]";
    assertTarget("name", "taken", step, "");
    assertTarget("name", "x".repeat(81), step, "");
    assertTarget("name", " ", step, "");
    assertTarget("steps", "new", "[]", "");
    assertTarget("steps", "new", "[{\"groups\": []}]", "");
    assertTarget("steps", "new", "[{\"groups\": [\"bad\", \"bad\"]}]", "");
    assertTarget("steps", "new", step.replace("]}]", "]}, {\"groups\": [\"bad\"]}]"), "");
    assertTarget("steps", "new", step.replace("]}]", "], \"pause\": \"PT1H0.001S\"}]"), "");
    assertTarget("steps", "new", step.replace("]}]", "], \"pause\": \"-PT1S\"}]"), "");
    assertTarget("steps", "new", step.replace("]}]", "], \"pause\": \"soon\"}]"), "");
    assertTarget("holdFor", "new", step, ", \"holdFor\": \"PT24H1S\"");
    assertTarget("oldest", "new", step, ", \"oldest\": \"PT0.5S\"");
    assertTarget("schedule", "new", step, ", \"schedule\": {\"at\": \"02:00\"}");
    assertTarget(
        "schedule", "new", step, ", \"schedule\": {\"at\": \"02:00:01\", \"zone\": \"UTC\"}");
    assertTarget("schedule", "new", step, ", \"schedule\": {\"at\": \"02:00\", \"zone\": \"x\"}");
    assertTarget(
        "schedule",
        "new",
        step,
        ", \"schedule\": {\"at\": \"02:00\", \"zone\": \"UTC\", \"days\": [\"mon\"]}");
    String export = ", \"exports\": [{\"group\": \"bad\"%s}]";
    assertTarget("exports", "new", step, export.formatted(""));
    assertTarget(
        "exports", "new", step, export.formatted(", \"host\": \"bad-host\", \"lun\": 16384"));
    assertTarget(
        "exportTests",
        "new",
        step,
        ", \"exportTests\": [{\"group\": \"bad\", \"host\": \"bad-host\"},"
            + " {\"group\": \"bad\", \"host\": \"bad-host\"}]");
    Answer unknown = post("new", step, export.formatted(", \"host\": \"nobody\""));
    assertProblem(unknown, 404, "not-found");
    assertProblem(post("new", "[{\"groups\": [\"nobody\"]}]", ""), 404, "not-found");
  }

  private static Answer post(String name, String steps, String more) {
    return server.post(
        RUNBOOKS, "{\"name\": \"%s\", \"steps\": %s%s}".formatted(name, steps, more));
  }

  private static void assertTarget(String field, String name, String steps, String more) {
    Answer answer = post(name, steps, more);
    assertProblem(answer, 400, "invalid-argument");
    assertThat(answer.text("/target")).as(answer.toString()).isEqualTo(field);
  }

  @Test
  void groupOfASourceIsNoGroupOfARunbook() {
    Answer made =
        sites.source.post(
            RUNBOOKS,
            "{\"name\": \"x\", \"steps\": [{\"groups\": [\"%s\"]}]}"
                .formatted(sites.group("sent", 1)));

    assertProblem(made, 400, "invalid-argument");
    assertThat(made.text("/detail")).contains("\"sent\" is a source");
  }

  @Test
  void groupsFailOverInTheOrderOfTheSteps() {
    String first = sites.group("first", 2);
    String second = sites.group("second", 1);
    sites.host("cluster-node");
    server.post("host-groups", "{\"name\": \"cluster\", \"hosts\": []}");
    String runbook =
        sites.runbook(
            "in order",
            List.of(second, first),
            ", \"exports\": [{\"group\": \"first\", \"host\": \"cluster-node\", \"lun\": 40}]");
    long before = server.newestEvent();

    JsonNode report = sites.ended(runbook, "run");

    assertThat(report.get("state").asString()).as(report.toString()).isEqualTo("succeeded");
    assertThat(report.get("by").asString()).isNotEmpty().isNotEqualTo("coppice");
    assertThat(outcome(report, 1)).isEqualTo("done");
    assertThat(report.at("/steps/1/groups/0/exported").asInt()).isEqualTo(2);
    assertThat(report.at("/steps/0/groups/0/replica").isString()).isTrue();
    assertThat(AdminServer.texts(server.get("events?after=" + before), "/sentence"))
        .filteredOn(sentence -> sentence.contains("failed over to this end"))
        .satisfiesExactly(
            one -> assertThat(one).contains("second"), one -> assertThat(one).contains("first"));
    List<String> volumes =
        server
            .get("replication/groups/" + first)
            .json()
            .get("volumes")
            .valueStream()
            .map(JsonNode::asString)
            .toList();
    assertThat(volumes)
        .extracting(volume -> server.get("exports/" + volume).text("/lun"))
        .containsExactlyInAnyOrder("40", "41");
    assertThat(sites.state(second)).isEqualTo("FAILEDOVER");
  }

  @Test
  void failedStepStopsTheRunAndAnotherRunGoesOn() {
    String first = sites.group("begins", 1);
    String second = sites.group("breaks", 1);
    String third = sites.group("waits", 1);
    String runbook = sites.runbook("broken", List.of(first, second, third), "");
    server.post("replication/groups/" + second + "/test", null);

    JsonNode report = sites.ended(runbook, "run");

    assertThat(report.get("state").asString()).isEqualTo("failed");
    assertThat(report.get("failedStep").asInt()).isEqualTo(2);
    assertThat(report.get("sentence").asString()).contains("step 2", "breaks", "INTEST");
    assertThat(outcome(report, 3)).isEqualTo("waiting");
    assertThat(sites.state(first)).isEqualTo("FAILEDOVER");
    assertThat(sites.state(third)).isEqualTo("TARGET");
    assertThat(AdminServer.texts(server.get("events?limit=5"), "/sentence"))
        .anyMatch(sentence -> sentence.contains("stopped: step 2"));

    server.delete("replication/groups/" + second + "/test");
    JsonNode again = sites.ended(runbook, "run");

    assertThat(again.get("state").asString()).as(again.toString()).isEqualTo("succeeded");
    assertThat(outcome(again, 1)).isEqualTo("already");
    assertThat(outcome(again, 2)).isEqualTo("done");
    assertThat(sites.state(third)).isEqualTo("FAILEDOVER");
  }

  @Test
  void plannedRunNeedsPreparedSources() {
    String group = sites.group("planned", 1);
    String runbook = sites.runbook("planned", List.of(group), "");
    String order = "{\"planned\": true}";
    String early = server.post(runbook + "/run", order).text("/id");
    assertThat(sites.awaited(runbook, early).get("sentence").asString()).contains("PREPARED");

    sites.source.post("replication/groups/" + group + "/prepare", null);
    String run = server.post(runbook + "/run", order).text("/id");

    JsonNode report = sites.awaited(runbook, run);
    assertThat(report.get("state").asString()).as(report.toString()).isEqualTo("succeeded");
    assertThat(report.get("planned").asBoolean()).isTrue();
  }

  @Test
  void exportThatFailedIsMadeByTheNextRun() {
    String group = sites.groupWithMachine("machine");
    String host = sites.host("late");
    String runbook =
        sites.runbook(
            "late",
            List.of(group),
            ", \"exports\": [{\"group\": \"machine\", \"host\": \"late\"}]");
    server.delete("hosts/" + host);
    JsonNode report = sites.ended(runbook, "run");
    assertThat(report.get("sentence").asString()).contains("not exported", host);
    assertThat(sites.state(group)).isEqualTo("FAILEDOVER");
    sites.host("late");
    server.patch(runbook, "{\"exports\": [{\"group\": \"machine\", \"host\": \"late\"}]}");

    JsonNode again = sites.ended(runbook, "run");

    assertThat(again.get("state").asString()).as(again.toString()).isEqualTo("succeeded");
    assertThat(again.at("/steps/0/groups/0/exported").asInt())
        .as("the disk of the machine is not exported")
        .isEqualTo(1);
  }

  @Test
  void checkSaysWhatIsMissingAndChangesNothing() {
    String ready = sites.group("ready", 1);
    String old = sites.group("old", 1);
    String taken = sites.group("taken-lun", 1);
    String lost = sites.group("lost", 1);
    sites.host("checked");
    String leaving = sites.host("leaving");
    String plain = server.volume(server.container("plain"), "plain");
    server.post(
        "exports",
        "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.test:checked\"], \"lun\": 90}"
            .formatted(plain));
    String runbook =
        sites.runbook(
            "checked",
            List.of(ready, old, taken, lost),
            """
            , "oldest": "PT1M", "exports": [{"group": "taken-lun", "host": "checked", "lun": 90}],
            "exportTests": [{"group": "ready", "host": "leaving"}]
            """);
    server.delete("replication/groups/" + lost);
    JsonNode first = server.post(runbook + "/check", null).json();
    assertThat(first.get("kind").asString()).isEqualTo("check");
    assertThat(outcome(first, 1)).isEqualTo("ready");
    assertThat(outcome(first, 2)).isEqualTo("ready");
    assertThat(first.at("/steps/2/groups/0/sentences/0").asString()).contains("LUN 90", plain);
    assertThat(first.at("/steps/3/groups/0/sentences/0").asString()).contains("not here");
    assertThat(first.get("failedStep").asInt()).isEqualTo(3);

    server.control.clock.advance(java.time.Duration.ofMinutes(2));
    sites.source.control.clock.advance(java.time.Duration.ofMinutes(2));
    sites.synchronize(ready);
    server.delete("hosts/" + leaving);
    String reader = server.token("operator");
    Answer second = server.callAs(reader, "POST", runbook + "/check", null);

    assertThat(second.status()).as("who reads may check").isEqualTo(200);
    assertThat(second.text("/steps/1/groups/0/sentences/0")).contains("PT2M", "PT1M");
    assertThat(second.text("/steps/0/groups/0/sentences/0")).contains("for tests", leaving);
    assertThat(sites.state(ready)).isEqualTo("TARGET");
    assertThat(server.get(runbook + "/runs").json().get("items")).hasSize(2);
    assertProblem(server.callAs(reader, "POST", runbook + "/test", null), 403, "forbidden");
    assertProblem(server.callAs(reader, "POST", runbook + "/run", null), 403, "forbidden");
  }
}

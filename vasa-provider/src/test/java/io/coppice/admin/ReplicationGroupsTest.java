package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Replication groups over REST, at a source whose peer does not answer.
class ReplicationGroupsTest {

  private static AdminServer server;
  private static String peer;
  private static String container;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    peer = PeersTest.pair(server, "target").toString();
    container = server.container("replicated");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String draft(String name, String volume, String more) {
    return draft(peer, name, volume, more);
  }

  /// The body of a group of one volume.
  static String draft(String peer, String name, String volume, String more) {
    return """
        {"name": "%s", "peer": "%s", "interval": "PT15S", "members": [{"volume": "%s"}]%s}
        """
        .formatted(name, peer, volume, more);
  }

  private static String group(String name) {
    return group(server, container, peer, name);
  }

  /// Makes a group of one volume.
  ///
  /// @return its id
  static String group(AdminServer server, String container, String peer, String name) {
    return AdminServer.made(
        server.post(
            "replication/groups",
            draft(peer, name, server.volume(container, "replicated " + name), "")));
  }

  @Test
  void groupIsMadeChangedAndRemoved() {
    String volume = server.volume(container, "of a life");
    Answer made =
        server.post(
            "replication/groups",
            draft(
                "life",
                volume,
                ", \"keep\": [{\"every\": \"PT1H\", \"keepFor\": \"P2D\"}], \"container\": \"dr\""));
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    String path = "replication/groups/" + made.text("/id");
    assertThat(made.text("/state")).isEqualTo("SOURCE");
    assertThat(made.text("/keep/0/every")).isEqualTo("PT1H");
    assertThat(made.text("/members/0/volume")).isEqualTo(volume);
    assertThat(made.json().get("lag").isNull()).isTrue();

    Answer changed = server.patch(path, "{\"interval\": \"PT1H\", \"paused\": true}");

    assertThat(changed.text("/interval")).isEqualTo("PT1H");
    assertThat(changed.text("/name")).isEqualTo("life");
    assertThat(changed.json().get("paused").asBoolean()).isTrue();
    assertThat(server.get("replication/groups?name=life").json().get("items")).hasSize(1);
    assertThat(server.get(path + "/replicas").json().get("items")).isEmpty();
    assertProblem(
        server.call("DELETE", path, null, "If-Match", made.header("ETag")),
        412,
        "changed-meanwhile");
    assertThat(server.delete(path).status()).isEqualTo(204);
    assertProblem(server.get(path), 404, "not-found");
    assertThat(server.get("volumes/" + volume).status()).isEqualTo(200);
  }

  @Test
  void badPlansAreRefused() {
    String volume = server.volume(container, "of bad plans");
    group("taken");
    assertTarget("name", draft("taken", volume, ""));
    assertTarget("interval", draft("bad", volume, "").replace("PT15S", "PT1S"));
    assertTarget("interval", draft("bad", volume, "").replace("PT15S", "P2D"));
    assertTarget("interval", draft("bad", volume, "").replace("PT15S", "soon"));
    assertTarget("peer", draft("bad", volume, "").replace(peer, volume));
    assertTarget(
        "keep", draft("bad", volume, ", \"keep\": [{\"every\": \"PT1H\", \"keepFor\": \"PT1M\"}]"));
    assertTarget("keep", draft("bad", volume, ", \"keep\": [{\"every\": \"PT1H\"}]"));
    assertTarget(
        "members", draft("bad", volume, "").replace("{\"volume\"", "{\"vm\": \"x\", \"volume\""));
    Answer unknown = server.post("replication/groups", draft("bad", container, ""));
    assertProblem(unknown, 404, "not-found");
  }

  private static void assertTarget(String field, String body) {
    Answer answer = server.post("replication/groups", body);
    assertProblem(answer, 400, "invalid-argument");
    assertThat(answer.text("/target")).as(answer.toString()).isEqualTo(field);
  }

  @Test
  void changesOfTheOtherEndAreRefusedAtTheSource() {
    String path = "replication/groups/" + group("source");
    for (String change : new String[] {"/fail-over", "/test", "/promote", "/reverse"}) {
      assertProblem(server.post(path + change, null), 409, "replication-state");
    }
    assertProblem(server.delete(path + "/test"), 409, "replication-state");
    assertThat(server.get(path).text("/state")).isEqualTo("SOURCE");
  }

  @Test
  void volumesComeBackIntoUseThoughThePeerOfTheirPreparationIsGone() {
    String path = "replication/groups/" + group("half prepared");
    server.patch("replication/peers/" + peer, "{\"address\": \"127.0.0.1:1\"}");
    String volume = server.get(path).text("/members/0/volume");
    assertThat(server.get("volumes/" + volume).status()).isEqualTo(200);

    assertProblem(server.post(path + "/prepare", null), 503, "peer-not-reachable");
    assertThat(server.get(path).text("/state")).isEqualTo("PREPARED");
    assertProblem(server.get("volumes/" + volume), 404, "not-found");
    assertProblem(server.post(path + "/prepare", null), 503, "peer-not-reachable");

    Answer back = server.post(path + "/reverse", null);

    assertThat(back.text("/state")).as(back.toString()).isEqualTo("SOURCE");
    assertThat(server.get("volumes/" + volume).text("/name")).isEqualTo("replicated half prepared");
    assertProblem(server.post(path + "/synchronize", null), 503, "peer-not-reachable");
  }

  @Test
  void volumeThatNoCycleHasTakenAlongStaysInUse() {
    try (AdminServer other = new AdminServer()) {
      other.container("there");
      String target = PeersTest.pair(server, other);
      String path = "replication/groups/" + group(server, container, target, "turned");
      String replicated = server.get(path).text("/members/0/volume");
      assertThat(server.post(path + "/synchronize", null).status()).isEqualTo(200);
      String late = server.volume(container, "late");
      server.patch(
          path,
          "{\"members\": [{\"volume\": \"%s\"}, {\"volume\": \"%s\"}]}"
              .formatted(replicated, late));
      assertThat(other.post(path + "/fail-over", null).status()).isEqualTo(200);

      Answer reversed = other.post(path + "/reverse", null);

      assertThat(reversed.text("/state")).as(reversed.toString()).isEqualTo("SOURCE");
      assertThat(server.get(path).text("/state")).isEqualTo("TARGET");
      assertProblem(server.get("volumes/" + replicated), 404, "not-found");
      assertThat(server.get("volumes/" + late).status()).isEqualTo(200);
    }
  }

  @Test
  void poolTakesSoManyGroupsAndNoMore() {
    try (AdminServer full = new AdminServer()) {
      String own = full.container("full");
      String target = PeersTest.pair(server, full);
      String self = full.get("replication/peers").text("/items/0/id");
      fill(full, "replication/group/" + group(full, own, self, "first"));

      Answer refused =
          full.post("replication/groups", draft(self, "late", full.volume(own, "late"), ""));
      Answer failed =
          server.post(
              "replication/groups/"
                  + group(server, container, target, "to a full pool")
                  + "/synchronize",
              null);

      assertProblem(refused, 400, "invalid-argument");
      assertThat(refused.text("/detail")).contains("at most 256 replication groups");
      assertProblem(failed, 409, "replication-state");
      assertThat(failed.text("/detail")).contains("other pool", "at most 256 replication groups");
    }
  }

  /// Makes copies of the record of a group until the pool takes no more.
  private static void fill(AdminServer full, String record) {
    PoolRecords records = full.control.engine.records();
    String text = records.find(record).orElseThrow();
    for (int i = 1; i < 256; i++) {
      UUID id = UUID.randomUUID();
      String copy = text.replace(record.substring(record.length() - 36), id.toString());
      records.apply(
          OperationId.random(), List.of(new RecordChange.Put("replication/group/" + id, copy)));
    }
  }

  @Test
  void peerThatDoesNotAnswerIsNamed() {
    String path = "replication/groups/" + group("alone");
    server.patch("replication/peers/" + peer, "{\"address\": \"127.0.0.1:1\"}");

    Answer answer = server.post(path + "/synchronize", "{\"name\": \"now\"}");

    assertProblem(answer, 503, "peer-not-reachable");
    assertThat(answer.text("/detail")).contains("target", "127.0.0.1:1");
    assertThat(server.get(path).text("/cycles/error")).contains("127.0.0.1:1");
  }
}

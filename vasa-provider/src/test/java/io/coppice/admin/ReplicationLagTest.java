package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.vasa.alert.source.ReplicationSource;
import io.coppice.vasa.replication.group.PoolReplication;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.replication.lag.LagHistory;
import io.coppice.vasa.replication.lag.LagWatch;
import io.coppice.vasa.replication.pairing.PeerRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Lag and RPO of groups, as both ends of two pools see them.
class ReplicationLagTest {

  private static AdminServer source;
  private static AdminServer target;
  private static String peer;
  private static String container;

  @BeforeAll
  static void start() {
    source = new AdminServer();
    target = new AdminServer();
    target.container("there");
    peer = PeersTest.pair(source, target);
    container = source.container("replicated");
  }

  @AfterAll
  static void stop() {
    source.close();
    target.close();
  }

  private static void pass(Duration time) {
    source.control.clock.advance(time);
    target.control.clock.advance(time);
  }

  /// Makes a group with a cycle each 15 s.
  ///
  /// @return its path
  private static String group(String name, String more) {
    return "replication/groups/"
        + AdminServer.made(
            source.post(
                "replication/groups",
                ReplicationGroupsTest.draft(peer, name, source.volume(container, name), more)));
  }

  private static void synchronize(String path) {
    Answer made = source.post(path + "/synchronize", null);
    assertThat(made.status()).as(made.toString()).isEqualTo(200);
  }

  /// What the alerts of both ends say about a group: message, severity and sentence.
  private static List<String> alerts(String path) {
    List<String> found = new ArrayList<>();
    for (AdminServer end : List.of(source, target)) {
      new ReplicationSource(end.bean(LagWatch.class))
          .look().stream()
              .filter(finding -> path.endsWith(finding.about().id()))
              .map(
                  finding ->
                      "%s %s %s"
                          .formatted(
                              finding.message(),
                              finding.severity().text(),
                              finding.parameters().get("what")))
              .forEach(found::add);
    }
    return found;
  }

  private static void assertLag(String path, String lag, String state) {
    for (AdminServer end : List.of(source, target)) {
      Answer group = end.get(path);
      assertThat(group.text("/lag")).as(group.toString()).isEqualTo(lag);
      assertThat(group.text("/lagState")).as(group.toString()).isEqualTo(state);
    }
  }

  @Test
  void bothEndsHoldTheAgeOfTheNewestReplicaAgainstTheRpo() {
    String path = group("aging", ", \"rpo\": \"PT1M\"");
    assertThat(source.get(path).json().get("lagState").isNull()).isTrue();

    synchronize(path);

    assertThat(target.get(path).text("/rpo")).isEqualTo("PT1M");
    assertLag(path, "PT0S", "ok");
    pass(Duration.ofSeconds(45));
    assertLag(path, "PT45S", "ok");
    assertThat(alerts(path)).isEmpty();
    pass(Duration.ofSeconds(1));
    assertLag(path, "PT46S", "late");
    String late = "its newest replica is 46 seconds old, and its RPO is 1 minute.";
    assertThat(alerts(path))
        .containsExactly("ReplicationLate warning " + late, "ReplicationLate warning " + late);
    pass(Duration.ofSeconds(15));
    assertLag(path, "PT1M1S", "missed");
    String missed =
        "its newest replica is 1 minute 1 second old, and its RPO of 1 minute is missed.";
    assertThat(alerts(path))
        .containsExactly(
            "ReplicationLate critical " + missed, "ReplicationLate critical " + missed);
    synchronize(path);
    assertLag(path, "PT0S", "ok");
    assertThat(alerts(path)).isEmpty();
  }

  @Test
  void endsThatExpectNoReplicaAreNotLate() {
    String path = group("turned", "");
    synchronize(path);
    assertThat(target.post(path + "/fail-over", null).status()).isEqualTo(200);
    pass(Duration.ofHours(1));
    assertThat(target.get(path).json().get("lagState").isNull()).isTrue();
    assertThat(alerts(path)).as("the source does not know yet").hasSize(1);
    assertProblem(source.post(path + "/synchronize", null), 409, "replication-state");

    assertThat(source.get(path).json().get("lagState").isNull()).isTrue();
    assertThat(alerts(path)).isEmpty();
  }

  @Test
  void alertOfFailuresEndsWithACycleThatEndsWell() {
    String path = group("mended", "");
    String address = source.get("replication/peers/" + peer).text("/address");
    source.patch("replication/peers/" + peer, "{\"address\": \"127.0.0.1:1\"}");
    for (int i = 0; i < 3; i++) {
      assertProblem(source.post(path + "/synchronize", null), 503, "peer-not-reachable");
    }
    assertThat(alerts(path)).singleElement().asString().startsWith("ReplicationFails critical");

    source.patch("replication/peers/" + peer, "{\"address\": \"%s\"}".formatted(address));
    synchronize(path);

    assertThat(alerts(path)).isEmpty();
  }

  @Test
  void usualRpoFollowsTheIntervalAndAChosenOneStays() {
    String path = group("usual", "");
    assertThat(source.get(path).text("/rpo")).isEqualTo("PT30S");
    assertThat(source.get(path).json().get("usualRpo").asBoolean()).isTrue();

    assertThat(source.patch(path, "{\"interval\": \"PT5S\"}").text("/rpo")).isEqualTo("PT15S");
    Answer chosen = source.patch(path, "{\"rpo\": \"P7D\"}");
    assertThat(chosen.text("/rpo")).isEqualTo("P7D");
    assertThat(chosen.json().get("usualRpo").asBoolean()).isFalse();
    assertThat(source.patch(path, "{\"interval\": \"PT1M\"}").text("/rpo")).isEqualTo("P7D");
    assertThat(source.patch(path, "{\"rpo\": \"PT0S\"}").text("/rpo")).isEqualTo("PT2M");
  }

  @Test
  void rpoIsNoShorterThanTheIntervalAndAWeekAtMost() {
    String path = group("bounded", ", \"rpo\": \"PT15S\"");
    for (String bad : List.of("PT14S", "P8D", "-PT1S", "soon")) {
      Answer refused = source.patch(path, "{\"rpo\": \"%s\"}".formatted(bad));
      assertProblem(refused, 400, "invalid-argument");
      assertThat(refused.text("/target")).as(bad).isEqualTo("rpo");
    }
    Answer longer = source.patch(path, "{\"interval\": \"PT16S\"}");
    assertProblem(longer, 400, "invalid-argument");
    assertThat(longer.text("/detail")).contains("rpo", "PT16S", "PT15S");
  }

  @Test
  void sourceThatStartedAnewCountsOnTheReplicaBeforeItsNewest() {
    String path = group("restarted", "");
    synchronize(path);
    pass(Duration.ofSeconds(10));
    synchronize(path);
    pass(Duration.ofSeconds(5));

    try (PoolReplication again =
        new ReplicationBeans().poolReplication(source.control, source.bean(PeerRecords.class))) {
      ReplicationGroups groups = again.groups();
      assertThat(groups.list())
          .filteredOn(group -> path.endsWith(group.id().toString()))
          .flatExtracting(group -> groups.newest(group).stream().toList())
          .containsExactly(source.control.clock.instant().minusSeconds(15));
    }
  }

  @Test
  void dayOfAGroupIsShownMinuteByMinuteUntilItGoes() {
    String path = group("recorded", "");
    LagHistory history = source.bean(LagHistory.class);
    synchronize(path);
    pass(Duration.ofSeconds(40));
    history.look();
    pass(Duration.ofSeconds(60));
    history.look();
    pass(Duration.ofSeconds(60));

    Answer day = source.get(path + "/history");

    assertThat(day.status()).as(day.toString()).isEqualTo(200);
    assertThat(day.text("/step")).isEqualTo("1m");
    JsonNode lag = day.json().at("/series/0/values");
    assertThat(lag).hasSize(LagHistory.POINTS);
    assertThat(lag.get(LagHistory.POINTS - 3).isNull()).isTrue();
    assertThat(lag.get(LagHistory.POINTS - 2).asDouble()).isEqualTo(40);
    assertThat(lag.get(LagHistory.POINTS - 1).asDouble()).isEqualTo(100);
    assertThat(day.json().at("/series/0/statistics/max").asDouble()).isEqualTo(100);
    assertThat(day.json().at("/series/2/name").asString()).isEqualTo("linkBytes");
    assertThat(day.json().at("/series/2/values/" + (LagHistory.POINTS - 2)).asDouble())
        .isPositive();
    assertThat(source.delete(path).status()).isEqualTo(204);
    assertProblem(source.get(path + "/history"), 404, "not-found");
  }
}

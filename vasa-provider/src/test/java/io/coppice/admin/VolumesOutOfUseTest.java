package io.coppice.admin;

import static io.coppice.admin.AdminServer.made;
import static io.coppice.admin.AdminServer.texts;
import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Volumes that replication takes out of use and brings back, with all that belongs to them.
class VolumesOutOfUseTest {

  private AdminServer home;
  private AdminServer other;
  private String container;
  private String volume;
  private String protection;
  private String group;

  @BeforeEach
  void start() {
    home = new AdminServer();
    other = new AdminServer();
    container = home.container("home");
    other.container("there");
    String policy =
        made(
            home.post(
                "policies",
                """
                {"name": "gold", "snapshotInterval": "PT1H", "snapshotRetention": "PT2H",
                 "maxIops": 500}
                """));
    volume =
        made(
            home.post(
                "volumes",
                """
                {"name": "heron", "size": 1073741824, "container": "%s", "policy": "%s",
                 "labels": {"owner": "web"}}
                """
                    .formatted(container, policy)));
    protection = Protecting.group(home, "protected", Protecting.policy(home, "hourly"), volume);
    home.control.clock.advance(Duration.ofHours(1));
    assertThat(home.control.schedules.takeDue()).isEqualTo(1);
    home.patch("schedules/" + volume, "{\"enabled\": false, \"retentionEnabled\": false}");
    group =
        "replication/groups/"
            + made(
                home.post(
                    "replication/groups",
                    ReplicationGroupsTest.draft(PeersTest.pair(home, other), "shop", volume, "")));
  }

  @AfterEach
  void stop() {
    other.close();
    home.close();
  }

  /// What an administrator sees of the volume, but for the newest of all snapshots below it, which
  /// a cycle takes.
  private Map<String, JsonNode> seen() {
    ObjectNode itself = (ObjectNode) home.get("volumes/" + volume).json();
    itself.remove("basedOn");
    return Map.of(
        "volume", itself,
        "limits", home.get("vvols/" + volume + "/limits").json(),
        "schedule", home.get("schedules/" + volume).json(),
        "snapshots", home.get("snapshots?vvol=" + volume).json().get("items"),
        "members", home.get("protection-groups/" + protection).json().get("members"));
  }

  private void post(AdminServer server, String change) {
    Answer answer = server.post(group + change, null);
    assertThat(answer.status()).as(change + answer).isEqualTo(200);
  }

  /// Lets the other pool have the volumes, and this one their replicas.
  private void giveWay() {
    post(home, "/synchronize");
    post(other, "/fail-over");
    post(other, "/reverse");
    assertThat(home.get(group).text("/state")).isEqualTo("TARGET");
  }

  @Test
  void volumeComesBackFromAPreparationAsItWas() {
    Map<String, JsonNode> before = seen();
    post(home, "/prepare");
    assertThat(home.get("volumes/" + volume).status()).isEqualTo(404);

    post(home, "/reverse");

    assertThat(seen()).isEqualTo(before);
  }

  @Test
  void volumeComesBackWithTheFailOverHomeAsItWas() {
    Map<String, JsonNode> before = seen();
    giveWay();
    assertThat(home.get("volumes/" + volume).status()).isEqualTo(404);
    post(other, "/synchronize");

    post(home, "/fail-over");

    assertThat(seen()).isEqualTo(before);
  }

  @Test
  void volumeIsNowhereWhileItIsOutOfUse() {
    String export =
        "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.test:x\"]}".formatted(volume);
    post(home, "/prepare");
    home.control.clock.advance(Duration.ofHours(3));

    for (String path : List.of("volumes/", "vvols/", "schedules/", "bin/")) {
      assertProblem(home.get(path + volume), 404, "not-found");
    }
    for (String list :
        List.of("volumes", "vvols", "schedules", "bin", "orphans", "volumes?label=owner%3Dweb")) {
      assertThat(home.get(list).json().get("items")).as(list).isEmpty();
    }
    assertThat(home.get("schedules?total=true").number("/total")).isZero();
    assertThat(texts(home.get("search?q=heron"), "/id")).doesNotContain(volume);
    assertProblem(home.patch("volumes/" + volume, "{\"name\": \"crane\"}"), 404, "not-found");
    assertProblem(home.patch("schedules/" + volume, "{\"enabled\": true}"), 404, "not-found");
    assertProblem(home.post("exports", export), 404, "not-found");
    assertProblem(home.delete("volumes/" + volume), 404, "not-found");
    assertThat(home.control.volumes.list()).noneMatch(one -> one.id().equals(id()));
    assertThat(home.control.schedules.takeDue()).isZero();
    assertThat(home.control.schedules.lag()).isZero();
    Answer kept = home.delete("containers/" + container);
    assertProblem(kept, 409, "in-use");
    assertThat(kept.text("/detail")).contains("out of use in a replication group");
  }

  private VolumeId id() {
    return new VolumeId(UUID.fromString(volume));
  }

  @Test
  void snapshotsAreKeptAsTheScheduleSaysThatRests() {
    String snapshot = home.get("snapshots?vvol=" + volume).text("/items/0/id");
    post(home, "/prepare");
    home.control.clock.advance(Duration.ofDays(1));

    home.control.schedules.deleteExpired();

    assertThat(home.get("snapshots/" + snapshot).status()).isEqualTo(200);
  }

  @Test
  void whatIsKeptOfAVolumeGoesWithItsGroup() {
    giveWay();
    assertThat(kept()).containsExactly(1L, 1L, 1L);

    assertThat(other.delete(group).status()).isEqualTo(204);
    assertThat(home.delete(group).status()).isEqualTo(204);

    assertThat(kept()).containsOnly(0L);
  }

  @Test
  void whatIsKeptOfAVolumeGoesWithACarrierThatACycleDeletes() {
    giveWay();
    home.control.engine.delete(OperationId.random(), id());

    home.control.reconciliation.whileRunning();

    assertThat(kept()).containsOnly(0L);
  }

  /// The rows of the volume, of its schedule, and of its labels.
  private List<Long> kept() {
    return Stream.of(
            "volume where id = ?",
            "snapshot_schedule where volume_id = ?",
            "volume_metadata where key like '%Label%' and volume_id = ?")
        .map(
            table ->
                home.control
                    .jdbc
                    .sql("select count(*) from " + table)
                    .param(UUID.fromString(volume))
                    .query(Long.class)
                    .single())
        .toList();
  }
}

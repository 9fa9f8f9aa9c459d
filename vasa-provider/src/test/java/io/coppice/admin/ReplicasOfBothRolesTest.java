package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.testing.Await;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Replicas of an end that was the target, and is the source now.
class ReplicasOfBothRolesTest {

  private static final String HOURLY_FOR_A_DAY =
      ", \"keep\": [{\"every\": \"PT1H\", \"keepFor\": \"P1D\"}]";

  @Test
  void sourceKeepsByTheTiersWhatItHadAsTheTarget() {
    try (AdminServer home = new AdminServer();
        AdminServer other = new AdminServer()) {
      other.container("there");
      String volume = home.volume(home.container("home"), "heron");
      String group =
          "replication/groups/"
              + AdminServer.made(
                  home.post(
                      "replication/groups",
                      ReplicationGroupsTest.draft(
                          PeersTest.pair(home, other), "shop", volume, HOURLY_FOR_A_DAY)));
      List<AdminServer> both = List.of(home, other);
      for (int i = 0; i < 3; i++) {
        post(home, group, "/synchronize");
        advance(both, Duration.ofHours(2));
      }
      List<String> received = replicas(other, group);
      assertThat(received).hasSize(3);
      post(other, group, "/fail-over");
      post(other, group, "/reverse");

      for (int i = 0; i < 3; i++) {
        post(other, group, "/synchronize");
        advance(both, Duration.ofMinutes(1));
      }

      assertThat(replicas(other, group)).hasSize(5).endsWith(received.toArray(String[]::new));
      advance(both, Duration.ofDays(2));
      post(other, group, "/synchronize");
      Await.until("a thread deletes the old ones", () -> replicas(other, group).size() == 2);
      assertThat(replicas(other, group)).doesNotContainAnyElementsOf(received);
    }
  }

  private static void advance(List<AdminServer> servers, Duration time) {
    servers.forEach(server -> server.control.clock.advance(time));
  }

  private static void post(AdminServer server, String group, String change) {
    Answer answer = server.post(group + change, null);
    assertThat(answer.status()).as(change + answer).isEqualTo(200);
  }

  /// Newest first.
  private static List<String> replicas(AdminServer server, String group) {
    return AdminServer.texts(server.get(group + "/replicas"), "/id");
  }
}

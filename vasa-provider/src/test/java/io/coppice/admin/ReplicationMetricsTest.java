package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The metrics of replication groups, at both ends of two pools.
class ReplicationMetricsTest {

  private static final String START = "coppice_replication_";

  /// The lines of a group, without the begin that all have, and without its labels.
  private static List<String> lines(AdminServer server, String group, String name) {
    String labels = "group=\"%s\",name=\"%s\"".formatted(group, name);
    return server
        .metrics(AdminServer.ADMIN, "metrics")
        .http()
        .body()
        .lines()
        .filter(line -> line.startsWith(START) && line.contains(labels))
        .map(line -> line.substring(START.length()).replace(labels, "").replace("{}", ""))
        .toList();
  }

  @Test
  void groupIsMeasuredAtBothEndsUntilItGoes() {
    try (AdminServer source = new AdminServer();
        AdminServer target = new AdminServer()) {
      target.container("there");
      String peer = PeersTest.pair(source, target);
      String group = ReplicationGroupsTest.group(source, source.container("gold"), peer, "shop");
      String path = "replication/groups/" + group;

      assertThat(lines(source, group, "shop"))
          .as("before its first replica")
          .contains("cycles_total 0.0", "rpo_seconds 30.0", "replicas 0.0")
          .noneMatch(line -> line.startsWith("lag_seconds") || line.startsWith("cycle_seconds"));

      assertThat(source.post(path + "/synchronize", null).status()).isEqualTo(200);
      source.control.clock.advance(Duration.ofSeconds(12));
      target.control.clock.advance(Duration.ofSeconds(13));

      assertThat(lines(source, group, "shop"))
          .contains(
              "lag_seconds 12.0",
              "rpo_seconds 30.0",
              "cycles_total 1.0",
              "failures_total 0.0",
              "data_bytes_total 0.0",
              "replicas 1.0",
              "state{,state=\"source\"} 1.0",
              "state{,state=\"target\"} 0.0")
          .anyMatch(line -> line.startsWith("link_bytes_total "))
          .anyMatch(line -> line.startsWith("cycle_seconds "));
      assertThat(lines(target, group, "shop"))
          .contains("lag_seconds 13.0", "replicas 1.0", "state{,state=\"target\"} 1.0")
          .noneMatch(line -> line.startsWith("cycles_total"));

      assertThat(target.post(path + "/fail-over", null).status()).isEqualTo(200);
      assertThat(lines(target, group, "shop"))
          .as("no replica is due")
          .contains("state{,state=\"failedover\"} 1.0")
          .noneMatch(line -> line.startsWith("lag_seconds"));

      assertThat(source.delete(path).status()).isEqualTo(204);
      assertThat(source.metrics(AdminServer.ADMIN, "metrics").http().body()).doesNotContain(START);
    }
  }
}

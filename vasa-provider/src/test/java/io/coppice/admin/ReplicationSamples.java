package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import java.time.Duration;
import java.util.List;

/// Peers and replication groups for tests of all operations.
final class ReplicationSamples {

  /// What becomes of each operation with a token of the role `volume-admin`.
  static final String DECISIONS =
      """
      POST /replication/codes NEVER
      POST /replication/pairings SESSION
      GET /replication/peers NEVER
      POST /replication/peers NEVER
      GET /replication/peers/{id} NEVER
      PATCH /replication/peers/{id} NEVER
      DELETE /replication/peers/{id} NEVER
      GET /replication/groups NEVER
      POST /replication/groups NEVER
      GET /replication/groups/{id} NEVER
      PATCH /replication/groups/{id} NEVER
      DELETE /replication/groups/{id} NEVER
      GET /replication/groups/{id}/history NEVER
      GET /replication/groups/{id}/replicas NEVER
      POST /replication/groups/{id}/synchronize NEVER
      POST /replication/groups/{id}/prepare NEVER
      POST /replication/groups/{id}/fail-over NEVER
      POST /replication/groups/{id}/test NEVER
      DELETE /replication/groups/{id}/test NEVER
      POST /replication/groups/{id}/promote NEVER
      POST /replication/groups/{id}/reverse NEVER
      GET /replication/runbooks NEVER
      POST /replication/runbooks NEVER
      GET /replication/runbooks/{id} NEVER
      PATCH /replication/runbooks/{id} NEVER
      DELETE /replication/runbooks/{id} NEVER
      POST /replication/runbooks/{id}/check NEVER
      POST /replication/runbooks/{id}/run NEVER
      POST /replication/runbooks/{id}/test NEVER
      DELETE /replication/runbooks/{id}/test NEVER
      GET /replication/runbooks/{id}/runs NEVER
      GET /replication/runbooks/{id}/runs/{run} NEVER
      """;

  private ReplicationSamples() {}

  /// Makes some peers and groups.
  ///
  /// @return id of a group that has two replicas
  static String fill(AdminServer server, String container) {
    String peer = "";
    for (String name : List.of("site b", "site a", "Site a")) {
      peer = PeersTest.pair(server, name).toString();
      server.control.clock.advance(Duration.ofSeconds(1));
    }
    for (String name : List.of("shop", "mail", "Shop")) {
      ReplicationGroupsTest.group(server, container, peer, name);
      server.control.clock.advance(Duration.ofSeconds(1));
    }
    try (AdminServer other = new AdminServer()) {
      String target = PeersTest.pair(server, other);
      String group = ReplicationGroupsTest.group(server, container, target, "replicated");
      for (int i = 0; i < 2; i++) {
        Answer made =
            server.post("replication/groups/" + group + "/synchronize", "{\"name\": \"r\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(200);
        server.control.clock.advance(Duration.ofSeconds(1));
      }
      return group;
    }
  }

  /// Makes some runbooks, of a group that comes from another pool.
  ///
  /// @return id of one that has reports
  static String runbooks(AdminServer server) {
    try (AdminServer other = new AdminServer()) {
      String peer = PeersTest.pair(other, server);
      String group =
          ReplicationGroupsTest.group(other, other.container("source"), peer, "followed");
      Answer made = other.post("replication/groups/" + group + "/synchronize", null);
      assertThat(made.status()).as(made.toString()).isEqualTo(200);
      String id = "";
      for (String name : List.of("shop lost", "mail lost", "Shop lost")) {
        id =
            AdminServer.made(
                server.post(
                    "replication/runbooks",
                    "{\"name\": \"%s\", \"steps\": [{\"groups\": [\"%s\"]}]}"
                        .formatted(name, group)));
      }
      for (int i = 0; i < 3; i++) {
        server.control.clock.advance(Duration.ofSeconds(i % 2));
        assertThat(server.post("replication/runbooks/" + id + "/check", null).status())
            .isEqualTo(200);
      }
      return id;
    }
  }
}

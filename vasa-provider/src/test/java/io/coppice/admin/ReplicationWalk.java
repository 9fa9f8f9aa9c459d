package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;

/// The changes of peers and replication groups, each carried out once.
final class ReplicationWalk {

  private final AdminServer server;
  private final Step step;

  /// A change that is carried out and looked at.
  interface Step {
    Answer of(String operation, String path, String body);
  }

  ReplicationWalk(AdminServer server, Step step) {
    this.server = server;
    this.step = step;
  }

  /// With a second pool, of which this one is the source and then the target.
  void walk(String container) {
    try (AdminServer other = new AdminServer()) {
      String there = other.container("there");
      String offered = step.of("POST /replication/codes", "replication/codes", null).text("/code");
      assertThat(offered).isNotEmpty();
      String code = other.post("replication/codes", null).text("/code");
      String peer =
          AdminServer.made(
              step.of(
                  "POST /replication/peers",
                  "replication/peers",
                  "{\"address\": \"127.0.0.1:%d\", \"code\": \"%s\"}"
                      .formatted(other.port(), code)));
      String address = server.get("replication/peers/" + peer).text("/address");
      asSource(container, peer);
      asTarget(other, there);
      step.of(
          "PATCH /replication/peers/{id}",
          "replication/peers/" + peer,
          "{\"address\": \"%s\"}".formatted(address));
      step.of("DELETE /replication/peers/{id}", "replication/peers/" + peer, null);
    }
  }

  private void asSource(String container, String peer) {
    String groups = "replication/groups";
    String group =
        groups
            + "/"
            + AdminServer.made(
                step.of(
                    "POST /replication/groups",
                    groups,
                    ReplicationGroupsTest.draft(
                        peer, "sent", server.volume(container, "sent"), "")));
    step.of("PATCH /replication/groups/{id}", group, "{\"interval\": \"PT1H\"}");
    step.of("POST /replication/groups/{id}/synchronize", group + "/synchronize", null);
    step.of("POST /replication/groups/{id}/prepare", group + "/prepare", null);
    step.of("POST /replication/groups/{id}/reverse", group + "/reverse", null);
    step.of("DELETE /replication/groups/{id}", group, null);
  }

  private void asTarget(AdminServer other, String there) {
    String self = other.get("replication/peers").text("/items/0/id");
    String group = "replication/groups/" + ReplicationGroupsTest.group(other, there, self, "came");
    assertThat(other.post(group + "/synchronize", null).status()).isEqualTo(200);
    runbook(group.substring("replication/groups/".length()));
    step.of("POST /replication/groups/{id}/test", group + "/test", null);
    step.of("DELETE /replication/groups/{id}/test", group + "/test", null);
    step.of("POST /replication/groups/{id}/test", group + "/test", null);
    step.of("POST /replication/groups/{id}/promote", group + "/promote", null);
    String second =
        "replication/groups/" + ReplicationGroupsTest.group(other, there, self, "came too");
    assertThat(other.post(second + "/synchronize", null).status()).isEqualTo(200);
    step.of("POST /replication/groups/{id}/fail-over", second + "/fail-over", null);
    fallenRunbook(second.substring("replication/groups/".length()));
  }

  private void runbook(String group) {
    String runbooks = "replication/runbooks";
    String body =
        "{\"name\": \"lost\", \"steps\": [{\"groups\": [\"%s\"]}], \"holdFor\": \"PT24H\"}";
    String path =
        runbooks
            + "/"
            + AdminServer.made(
                step.of("POST /replication/runbooks", runbooks, body.formatted(group)));
    step.of("PATCH /replication/runbooks/{id}", path, "{\"oldest\": \"P1D\"}");
    step.of("POST /replication/runbooks/{id}/check", path + "/check", null);
    String run = step.of("POST /replication/runbooks/{id}/test", path + "/test", null).text("/id");
    RunbookSites.await(() -> state(path, run).equals("holding"));
    step.of("DELETE /replication/runbooks/{id}/test", path + "/test", null);
    awaitIdle(path);
    step.of("DELETE /replication/runbooks/{id}", path, null);
  }

  /// A run whose group failed over before.
  private void fallenRunbook(String group) {
    String path =
        "replication/runbooks/"
            + AdminServer.made(
                server.post(
                    "replication/runbooks",
                    "{\"name\": \"fallen\", \"steps\": [{\"groups\": [\"%s\"]}]}"
                        .formatted(group)));
    step.of("POST /replication/runbooks/{id}/run", path + "/run", null);
    awaitIdle(path);
    server.delete(path);
  }

  private String state(String path, String run) {
    return server.get(path + "/runs/" + run).text("/state");
  }

  private void awaitIdle(String path) {
    RunbookSites.await(() -> server.get(path).json().get("goesOn").isNull());
  }
}

package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/// Two paired sites for tests of runbooks: groups of the one have their targets at the other.
final class RunbookSites implements AutoCloseable {

  static final String RUNBOOKS = "replication/runbooks";

  final AdminServer source = new AdminServer();
  final AdminServer target = new AdminServer();

  private final String here = source.container("here");
  private final String peer;

  RunbookSites() {
    target.container("there");
    peer = PeersTest.pair(source, target);
  }

  /// Makes a group of some plain volumes, and its first replica.
  ///
  /// @return its id
  String group(String name, int volumes) {
    String members = "";
    for (int i = 0; i < volumes; i++) {
      members +=
          ", {\"volume\": \"%s\"}".formatted(source.volume(here, "%s-%d".formatted(name, i)));
    }
    return group(name, members.substring(2));
  }

  /// Makes a group of a virtual machine with one disk, and of a plain volume.
  String groupWithMachine(String name) {
    ControlPlane.made(
        source.control.volumes.create(
            new NewVolume(
                UUID.fromString(here),
                VolumeType.DATA,
                VolumeOrigin.HOST,
                null,
                ControlPlane.GIB,
                Map.of("VMW_VmID", "vm-" + name, "VMW_VVolName", name + "-disk"))));
    return group(
        name,
        "{\"vm\": \"vm-%s\"}, {\"volume\": \"%s\"}"
            .formatted(name, source.volume(here, name + "-plain")));
  }

  private String group(String name, String members) {
    String group =
        AdminServer.made(
            source.post(
                "replication/groups",
                """
                {"name": "%s", "peer": "%s", "interval": "PT15S", "members": [%s]}
                """
                    .formatted(name, peer, members)));
    synchronize(group);
    return group;
  }

  void synchronize(String group) {
    Answer made = source.post("replication/groups/" + group + "/synchronize", null);
    assertThat(made.status()).as(made.toString()).isEqualTo(200);
  }

  /// The state of a group at the target.
  String state(String group) {
    return target.get("replication/groups/" + group).text("/state");
  }

  String host(String name) {
    return AdminServer.made(
        target.post(
            "hosts",
            "{\"name\": \"%s\", \"initiators\": [\"iqn.2026-11.test:%s\"]}".formatted(name, name)));
  }

  /// Makes a runbook whose steps have one group each.
  ///
  /// @param more fields, each after a comma
  /// @return its path
  String runbook(String name, List<String> groups, String more) {
    String steps =
        String.join(", ", groups.stream().map("{\"groups\": [\"%s\"]}"::formatted).toList());
    return RUNBOOKS
        + "/"
        + AdminServer.made(
            target.post(
                RUNBOOKS, "{\"name\": \"%s\", \"steps\": [%s]%s}".formatted(name, steps, more)));
  }

  /// Begins a run or test and waits for its end.
  ///
  /// @param verb `run` or `test`
  JsonNode ended(String runbook, String verb) {
    return awaited(runbook, begun(runbook, verb));
  }

  /// @return id of the run
  String begun(String runbook, String verb) {
    Answer begun = target.post(runbook + "/" + verb, null);
    assertThat(begun.status()).as(begun.toString()).isEqualTo(202);
    return begun.text("/id");
  }

  JsonNode awaited(String runbook, String run) {
    await(() -> !report(runbook, run).get("ended").isNull());
    await(() -> target.get(runbook).json().get("goesOn").isNull());
    return report(runbook, run);
  }

  void awaitState(String runbook, String run, String state) {
    await(() -> report(runbook, run).get("state").asString().equals(state));
  }

  JsonNode report(String runbook, String run) {
    return target.get(runbook + "/runs/" + run).json();
  }

  static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("60 s are over").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  static String outcome(JsonNode report, int step) {
    return report.at("/steps/%d/groups/0/outcome".formatted(step - 1)).asString();
  }

  @Override
  public void close() {
    source.close();
    target.close();
  }
}

package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.vasa.testing.TestJournals;
import java.util.UUID;

/// A server with two storage containers, and a token of the role `volume-admin` for one of them.
final class TwoContainers implements AutoCloseable {

  /// Bytes of each volume.
  static final long SIZE = 1L << 24;

  final AdminServer server;
  final String own;
  final String other;
  final String host;
  final String group;
  final String protectionPolicy;
  final String token;
  private int names;

  /// @param arguments as [AdminServer] takes them
  TwoContainers(String... arguments) {
    server = new AdminServer(arguments);
    own = server.container("own");
    other = server.container("other");
    host = host();
    group = group();
    protectionPolicy = Protecting.policy(server, "hourly");
    token = bound("bound", own);
  }

  /// The objects of one container that operations name.
  ///
  /// @param volume a plain volume with the snapshot
  /// @param exported another one, which is exported
  record Objects(
      String container,
      String volume,
      String snapshot,
      String exported,
      String host,
      String group,
      String policy,
      String job,
      Temporary temporary,
      Protected protection) {

    static Objects absent(String host, String group, String protectionPolicy) {
      String id = UUID.randomUUID().toString();
      Protected none = new Protected(protectionPolicy, id, id, id);
      return new Objects(
          id, id, id, id, host, group, id, "snapshotGroup:" + id, new Temporary(id, id), none);
    }
  }

  /// What protects the exported volume.
  ///
  /// @param policy a protection policy, which is in no container
  /// @param group a protection group
  /// @param point a recovery point of the group
  /// @param snapshot the snapshot of that point
  record Protected(String policy, String group, String point, String snapshot) {}

  /// Makes objects in a container.
  ///
  /// @param by the token that begins the job
  private Objects objects(String container, String by) {
    String volume = volume(container);
    TestJournals.keep(server.control, volume);
    Answer taken =
        server.callAs(
            by, "POST", "vvols/%s/snapshots?wait=9s".formatted(volume), "{\"name\": \"taken\"}");
    String exported = volume(container);
    server.post(
        "exports",
        "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.test:all\"]}".formatted(exported));
    String policy =
        AdminServer.made(
            server.post(
                "policies",
                "{\"name\": \"%s\", \"maxIops\": 500, \"containers\": [\"%s\"]}"
                    .formatted(name(), container)));
    return new Objects(
        container,
        volume,
        taken.text("/result/id"),
        exported,
        host,
        group,
        policy,
        taken.text("/id"),
        temporary(volume),
        protect(exported));
  }

  /// A temporary export, and the snapshot that it shows.
  record Temporary(String export, String snapshot) {}

  private Temporary temporary(String volume) {
    String snapshot = snapshot(volume);
    String export =
        AdminServer.made(
            server.post(
                "temporary-exports",
                "{\"snapshots\": [\"%s\"], \"initiators\": [\"iqn.2026-11.test:t\"]}"
                    .formatted(snapshot)));
    return new Temporary(export, snapshot);
  }

  private Protected protect(String volume) {
    String protecting = Protecting.group(server, name(), protectionPolicy, volume);
    String point = Protecting.point(server, protecting, "point");
    return new Protected(
        protectionPolicy,
        protecting,
        point,
        server.get("recovery-points/" + point).text("/snapshots/0"));
  }

  private String volume(String container) {
    return AdminServer.made(
        server.post(
            "volumes",
            "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"}"
                .formatted(name(), SIZE, container)));
  }

  /// The end of a body that names the present moment.
  String moment() {
    return "\"moment\": \"%s\"}".formatted(server.control.clock.instant());
  }

  /// Takes a snapshot with the token that may do everything.
  ///
  /// @return its id
  String snapshot(String volume) {
    return server
        .post("vvols/%s/snapshots?wait=9s".formatted(volume), "{\"name\": \"s\"}")
        .text("/result/id");
  }

  /// A name that is not taken.
  String name() {
    return "n" + ++names;
  }

  private String host() {
    return AdminServer.made(
        server.post("hosts", "{\"name\": \"h\", \"initiators\": [\"iqn.2026-11.test:h\"]}"));
  }

  private String group() {
    return AdminServer.made(server.post("host-groups", "{\"name\": \"g\"}"));
  }

  /// New objects in the container of the token, which began the job.
  Objects mine() {
    return objects(own, token);
  }

  /// New objects in the other container.
  Objects hidden() {
    return objects(other, AdminServer.ADMIN);
  }

  /// Calls an operation with the token.
  Answer as(String method, String path, String body) {
    return server.callAs(token, method, path, body);
  }

  /// Asks for a token.
  ///
  /// @param containers as they stand between the brackets
  Answer issue(String name, String role, String containers) {
    return server.post(
        "tokens",
        "{\"name\": \"%s\", \"role\": \"%s\", \"containers\": [%s]}"
            .formatted(name, role, containers));
  }

  /// Makes a token that is bound to a container.
  ///
  /// @return its text
  String bound(String name, String container) {
    Answer issued = issue(name, "volume-admin", "\"%s\"".formatted(container));
    assertThat(issued.status()).as(issued.toString()).isEqualTo(201);
    return issued.text("/token");
  }

  @Override
  public void close() {
    server.close();
  }
}

package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Temporary exports over REST: a recovery point of two volumes, and what is refused.
class TemporaryExportTest {

  private static final String HOST = "\"initiators\": [\"iqn.2026-11.test:host\"]";

  private static AdminServer server;
  private static String group;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    String container = server.container("looked-into");
    String policy = Protecting.policy(server, "gold");
    group =
        AdminServer.made(
            server.post(
                "protection-groups",
                """
                {"name": "shop", "policy": "%s", "members": [{"volume": "%s"}, {"volume": "%s"}]}
                """
                    .formatted(
                        policy,
                        server.volume(container, "data"),
                        server.volume(container, "logs"))));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Answer make(String fields) {
    return server.post("temporary-exports", "{%s, %s}".formatted(fields, HOST));
  }

  private static String ofPoint(String point) {
    return "\"point\": \"%s\"".formatted(point);
  }

  private static String ofSnapshots(String... snapshots) {
    return "\"snapshots\": [\"%s\"]".formatted(String.join("\", \"", snapshots));
  }

  @Test
  void aPointIsExportedInOneCallAndCannotBeDeletedMeanwhile() {
    String point = Protecting.point(server, group, "before");

    Answer made = make(ofPoint(point) + ", \"keepFor\": \"PT2H\"");

    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    String path = "temporary-exports/" + made.text("/id");
    assertThat(made.text("/point")).isEqualTo(point);
    assertThat(made.text("/target")).endsWith(":lun");
    assertThat(made.json().at("/units")).hasSize(2);
    for (int unit = 0; unit < 2; unit++) {
      String at = "/units/" + unit;
      String snapshot = made.text(at + "/snapshot");
      assertThat(made.text(at + "/vvol")).isEqualTo(snapshot);
      Answer export = server.get("exports/" + snapshot);
      assertThat(export.number("/lun")).isEqualTo(made.number(at + "/lun"));
      assertThat(export.text("/naa")).isEqualTo(made.text(at + "/naa"));
      assertThat(export.json().at("/readOnly").asBoolean()).isTrue();
      assertThat(made.json().at("/linux").toString())
          .contains("/dev/disk/by-id/wwn-0x" + made.text(at + "/naa").substring(4));
      assertThat(made.json().at("/esxi").toString()).contains(made.text(at + "/naa"));
    }
    assertThat(made.json().at("/linux").toString())
        .contains("iscsiadm -m node -T %s --login".formatted(made.text("/target")));
    assertThat(server.get("temporary-exports?sort=-created").text("/items/0/id"))
        .isEqualTo(made.text("/id"));
    assertProblem(server.delete("recovery-points/" + point), 409, "in-use");

    Answer longer = server.patch(path, "{\"keepFor\": \"P2D\"}");
    assertThat(longer.text("/ends")).isGreaterThan(made.text("/ends"));
    assertThat(server.delete(path).status()).isEqualTo(204);
    assertProblem(server.get(path), 404, "not-found");
    assertThat(server.delete("recovery-points/" + point).status()).isEqualTo(204);
  }

  @Test
  void clonesOfChosenSnapshotsOutliveThePointAndGoWithTheExport() {
    String point = Protecting.point(server, group, "x".repeat(70));
    String chosen = server.get("recovery-points/" + point).text("/snapshots/1");

    Answer made = make(ofPoint(point) + ", " + ofSnapshots(chosen) + ", \"writable\": true");

    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    assertThat(made.json().at("/units")).hasSize(1);
    String clone = made.text("/units/0/vvol");
    assertThat(server.get("volumes/" + clone).text("/name")).startsWith("xxx").hasSize(69);
    assertThat(server.delete("recovery-points/" + point).status()).isEqualTo(204);
    assertThat(server.delete("temporary-exports/" + made.text("/id")).status()).isEqualTo(204);
    assertProblem(server.get("vvols/" + clone), 404, "not-found");
  }

  @Test
  void whatCannotBeExportedIsRefused() {
    String point = Protecting.point(server, group, "refused");
    String snapshot = server.get("recovery-points/" + point).text("/snapshots/0");
    String other =
        server.get("recovery-points/" + Protecting.point(server, group, "o")).text("/snapshots/0");
    String absent = UUID.randomUUID().toString();

    assertProblem(make("\"writable\": true"), 400, "invalid-argument");
    assertProblem(
        server.post("temporary-exports", "{%s}".formatted(ofPoint(point))),
        400,
        "invalid-argument");
    Answer strange = make(ofPoint(point) + ", " + ofSnapshots(other));
    assertProblem(strange, 400, "invalid-argument");
    assertThat(strange.text("/detail")).contains(point, other);
    assertProblem(make(ofPoint(absent)), 404, "not-found");
    assertProblem(make(ofSnapshots(absent)), 404, "not-found");
    for (String keep : List.of("PT1S", "P8D", "-PT1H", "soon", "")) {
      Answer refused = make(ofSnapshots(snapshot) + ", \"keepFor\": \"%s\"".formatted(keep));
      assertProblem(refused, 400, "invalid-argument");
      assertThat(refused.text("/target")).isEqualTo("keepFor");
    }
    assertThat(server.get("exports/" + snapshot).status()).isEqualTo(404);
    String path = "temporary-exports/" + make(ofSnapshots(snapshot)).text("/id");
    assertProblem(make(ofSnapshots(snapshot)), 409, "in-use");
    assertProblem(server.patch(path, "{\"keepFor\": null}"), 400, "invalid-argument");
    assertProblem(server.patch(path, "{\"keepFor\": \"P8D\"}"), 400, "invalid-argument");
    assertThat(server.delete(path).status()).isEqualTo(204);
  }
}

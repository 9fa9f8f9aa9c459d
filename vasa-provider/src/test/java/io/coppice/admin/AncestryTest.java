package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The bases of snapshots and volumes, as REST shows them: enough to draw their tree.
class AncestryTest {

  private static AdminServer server;

  @BeforeAll
  static void start() {
    server = new AdminServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aRevertBeginsABranch() {
    String volume = server.volume(server.container("tree"), "trunk");
    assertThat(basedOn("volumes/" + volume)).isEmpty();
    String first = snapshot(volume, "first");
    String second = snapshot(volume, "second");
    assertThat(basedOn("snapshots/" + first)).isEmpty();
    assertThat(basedOn("snapshots/" + second)).isEqualTo(first);
    assertThat(basedOn("volumes/" + volume)).isEqualTo(second);

    Answer back = server.post("snapshots/" + first + "/revert?wait=10s", null);
    assertThat(back.text("/state")).as(back.toString()).isEqualTo("success");
    assertThat(basedOn("vvols/" + volume)).isEqualTo(first);
    String third = snapshot(volume, "third");
    assertThat(basedOn("snapshots/" + third)).isEqualTo(first);
    assertThat(basedOn("snapshots/" + second)).isEqualTo(first);
    assertThat(basedOn("volumes/" + volume)).isEqualTo(third);
  }

  @Test
  void whatIsInTheRecycleBinIsPassedOver() {
    String container = server.container("pruned");
    assertThat(server.patch("containers/" + container, "{\"binTime\": \"P1D\"}").status())
        .isEqualTo(200);
    String volume = server.volume(container, "trunk");
    String first = snapshot(volume, "first");
    String second = snapshot(volume, "second");
    String third = snapshot(volume, "third");

    assertThat(server.delete("snapshots/" + second).status()).isEqualTo(204);
    assertThat(basedOn("snapshots/" + third)).isEqualTo(first);

    assertThat(server.post("bin/" + second + "/restore", null).status()).isEqualTo(200);
    assertThat(basedOn("snapshots/" + third)).isEqualTo(second);
    assertThat(basedOn("snapshots/" + second)).isEqualTo(first);
  }

  @Test
  void aCloneGoesOnFromItsSource() {
    String volume = server.volume(server.container("grafted"), "trunk");
    String first = snapshot(volume, "first");
    String clone =
        AdminServer.made(
            server.post("volumes", "{\"source\": \"%s\", \"name\": \"graft\"}".formatted(first)));
    assertThat(basedOn("volumes/" + clone)).isEqualTo(first);
    assertThat(server.delete("snapshots/" + first + "?purge=true").status()).isEqualTo(204);
    assertThat(basedOn("volumes/" + clone)).isEmpty();
  }

  /// @return empty for nothing
  private static String basedOn(String path) {
    Answer answer = server.get(path);
    assertThat(answer.json().has("basedOn")).as(answer.toString()).isTrue();
    return answer.json().at("/basedOn").isNull() ? "" : answer.text("/basedOn");
  }

  private static String snapshot(String volume, String name) {
    Answer job =
        server.post(
            "vvols/" + volume + "/snapshots?wait=10s", "{\"name\": \"%s\"}".formatted(name));
    assertThat(job.text("/state")).as(job.toString()).isEqualTo("success");
    return job.text("/result/id");
  }
}

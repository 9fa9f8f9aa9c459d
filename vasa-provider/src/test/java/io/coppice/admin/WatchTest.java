package io.coppice.admin;

import static io.coppice.admin.AdminServer.made;
import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The ransomware watch as REST and metrics show it, and the wish of protection policies for it.
class WatchTest {

  private static final String POLICY =
      "{\"name\": \"%s\", \"rules\": [" + Protecting.HOURLY + "], \"watch\": %s}";

  private static AdminServer server;
  private static String container;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    container = server.container("gold");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Answer watch(String volume) {
    return server.get("volumes/%s/watch".formatted(volume));
  }

  private static Map<String, Double> figures(String path) {
    return Scrape.of(server.metrics(AdminServer.ADMIN, path)).figures();
  }

  @Test
  void aVolumeWithoutWritesIsNotWatched() {
    Answer answer = watch(server.volume(container, "idle"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text("/state")).isEqualTo("unwatched");
    assertThat(answer.json().get("entropy").isNull()).isTrue();
    assertThat(answer.json().get("lockedPoints").isEmpty()).isTrue();
  }

  @Test
  void aSuspectIsShownWithItsPoints() {
    String volume = server.volume(container, "disk");
    String policy =
        made(
            server.post(
                "protection-policies", body("locking", "{\"lockSnapshotFor\": \"PT48H\"}")));
    String group = Protecting.group(server, "shop", policy, volume);
    String clean = Protecting.point(server, group, "clean");
    server.control.clock.advance(Duration.ofMinutes(5));
    server.control.watch.encrypt(new VolumeId(UUID.fromString(volume)));

    Answer answer = watch(volume);

    assertThat(answer.text("/state")).isEqualTo("suspect");
    assertThat(answer.json().get("entropy").asDouble()).isEqualTo(7.6);
    assertThat(answer.json().get("usualEntropy").asDouble()).isEqualTo(4.3);
    assertThat(answer.json().get("replacing").asLong())
        .isGreaterThan(answer.json().get("usualReplacing").asLong());
    assertThat(answer.text("/lastPointBefore/point")).isEqualTo(clean);
    String point = answer.json().get("lockedPoints").get(0).asString();
    assertThat(server.get("recovery-points/" + point).json().get("lockedUntil").isNull()).isFalse();
    assertProblem(server.delete("recovery-points/" + point), 409, "locked");
    assertThat(server.get("events").toString()).contains("looks like encryption since");
    assertThat(figures("metrics")).containsEntry("coppice_watch_suspects", 1.0);
    assertThat(figures("metrics/volumes"))
        .anySatisfy(
            (name, value) -> {
              assertThat(name).startsWith("coppice_volume_written_entropy_bits");
              assertThat(value).isBetween(7.5, 7.7);
            });
  }

  @Test
  void whatIsNoVolumeIsRefused() {
    assertProblem(watch(VolumeId.random().toString()), 404, "not-found");
    assertProblem(
        server.get("volumes/%s/watch?window=PT5M".formatted(VolumeId.random())),
        400,
        "unknown-parameter");
  }

  private static String body(String name, String watch) {
    return POLICY.formatted(name, watch);
  }

  @Test
  void aPolicyShowsWhatItWants() {
    String id =
        made(
            server.post(
                "protection-policies",
                body("quiet", "{\"alert\": false, \"lockSnapshotFor\": \"P2D\"}")));
    Answer shown = server.get("protection-policies/" + id);
    assertThat(shown.json().get("watch").get("alert").asBoolean()).isFalse();
    assertThat(shown.text("/watch/lockSnapshotFor")).isEqualTo("P2D");

    Answer replaced =
        server.put(
            "protection-policies/" + id,
            "{\"name\": \"quiet\", \"generation\": 1, \"rules\": [%s]}"
                .formatted(Protecting.HOURLY));

    assertThat(replaced.json().get("watch").get("alert").asBoolean()).isTrue();
    assertThat(replaced.json().get("watch").get("lockSnapshotFor").isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"lockSnapshotFor\": \"48h\"}",
        "{\"lockSnapshotFor\": \"PT0S\"}",
        "{\"lockSnapshotFor\": \"-PT1H\"}",
        "{\"lockSnapshotFor\": \"P31D\"}",
        "{\"lockSnapshotFor\": \"P5000D\"}",
        "{\"lockSnapshotFor\": \"PT1.5S\"}"
      })
  void aLockThatIsNotPossibleIsRefused(String wanted) {
    assertProblem(
        server.post("protection-policies", body("wrong", wanted)), 400, "invalid-argument");
  }
}

package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.history.HistoryRecorder;
import io.coppice.vasa.testing.ControlPlane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The history over REST: what was recorded, of whom, and what is refused.
class HistoryTest {

  private static final String INITIATOR = "iqn.2026-11.test:reader";
  private static final String READ_8 = "28000000000000000800"; // 8 blocks
  private static final int SLOT_SECONDS = 10;

  @TempDir private static Path folder;

  private static TwoContainers two;
  private static AdminServer server;
  private static HistoryRecorder recorder;

  @BeforeAll
  static void start() {
    two = new TwoContainers("--history-folder=" + folder);
    server = two.server;
    recorder = server.bean(HistoryRecorder.class);
    recorder.record();
  }

  @AfterAll
  static void stop() {
    two.close();
  }

  private static void record(Duration time) {
    for (long i = 0; i < time.toSeconds() / SLOT_SECONDS; i++) {
      server.control.clock.advance(Duration.ofSeconds(SLOT_SECONDS));
      recorder.record();
    }
  }

  private static JsonNode series(Answer answer, String name) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    return answer
        .json()
        .get("series")
        .valueStream()
        .filter(one -> one.get("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void read(VolumeId volume, int number, int times) throws Exception {
    server.control.luns.export(
        OperationId.random(), volume, Optional.of(number), false, Set.of(INITIATOR));
    OffloadsTest.send(
        server, INITIATOR, volume, Collections.nCopies(times, READ_8).toArray(String[]::new));
  }

  @Test
  void ratesOfAVolumeItsContainerItsMachineAndTheArrayAreRecorded() throws Exception {
    UUID container = UUID.fromString(two.own);
    VolumeId disk =
        server.control.volume(
            server.control.containers.require(container),
            ControlPlane.GIB,
            Map.of("VMW_VmID", "vm-of-history", "VMW_VVolName", "disk"));
    record(Duration.ofSeconds(10));
    read(disk, 0, 50);
    record(Duration.ofSeconds(10));

    for (String path :
        List.of(
            "volumes/" + disk, "vvols/" + disk, "vms/vm-of-history", "containers/" + container)) {
      Answer answer = server.get(path + "/history");

      JsonNode reads = series(answer, "reads");
      assertThat(reads.get("unit").asString()).isEqualTo("1/s");
      JsonNode values = reads.get("values");
      assertThat(values).hasSizeBetween(359, 361);
      assertThat(values.get(values.size() - 1).asDouble()).as(path).isCloseTo(5, within(0.1));
      assertThat(reads.at("/statistics/last").asDouble()).isCloseTo(5, within(0.1));
      assertThat(values.get(0).isNull()).as("a gap before the start").isTrue();
      assertThat(series(answer, "bytesRead").at("/statistics/max").asDouble())
          .isCloseTo(5 * 8 * 512, within(200.0));
      assertThat(series(answer, "readDevice").at("/statistics/avg").asDouble()).isPositive();
      assertThat(series(answer, "writeLatency").get("statistics").isNull()).isTrue();
      assertThat(answer.text("/step")).isEqualTo("10s");
    }
    Answer array = server.get("system/history?series=reads,capacity");
    assertThat(array.json().get("series")).hasSize(2);
    assertThat(series(array, "capacity").at("/statistics/last").asLong())
        .isEqualTo(server.control.engine.space().capacity());
    assertThat(array.json().get("obstacle").isNull()).isTrue();
  }

  @Test
  void aDeletedVolumeIsRememberedForThoseWhoSawItsContainer() throws Exception {
    VolumeId mine = VolumeId.parse(server.volume(two.own, "short-lived"));
    VolumeId hidden = VolumeId.parse(server.volume(two.other, "hidden-short-lived"));
    record(Duration.ofSeconds(10));
    read(mine, 1, 3);
    read(hidden, 2, 3);
    record(Duration.ofSeconds(60));
    for (VolumeId one : List.of(mine, hidden)) {
      server.control.luns.unexport(OperationId.random(), one);
      assertThat(server.delete("volumes/" + one).status()).isEqualTo(204);
    }

    assertThat(series(server.get("volumes/" + mine + "/history"), "reads").at("/statistics/max"))
        .isNotNull();
    assertThat(server.get("volumes/" + hidden + "/history").status()).isEqualTo(200);
    assertThat(two.as("GET", "volumes/" + mine + "/history", null).status()).isEqualTo(200);
    assertProblem(two.as("GET", "volumes/" + hidden + "/history", null), 404, "not-found");
    assertProblem(server.get("volumes/" + UUID.randomUUID() + "/history"), 404, "not-found");
    assertProblem(server.get("vms/nobody/history"), 404, "not-found");
  }

  @Test
  void longerSpansAreAnsweredByLongerSteps() {
    record(Duration.ofMinutes(2));

    assertThat(server.get("system/history?window=24h").text("/step")).isEqualTo("1m");
    assertThat(server.get("system/history?window=P7D").text("/step")).isEqualTo("10m");
    assertThat(server.get("system/history?window=365d").text("/step")).isEqualTo("1h");
    Answer minutes = server.get("system/history?window=10m&step=1m&series=used");
    assertThat(series(minutes, "used").get("values")).hasSizeBetween(10, 11);
    assertThat(series(minutes, "used").at("/statistics/last").asLong())
        .isEqualTo(server.control.engine.space().used());
  }

  @Test
  void whatIsAskedWrongIsRefusedWithWhatThereIs() {
    for (String query :
        List.of(
            "step=5s",
            "window=0s",
            "window=soon",
            "window=400d",
            "series=reads,reads",
            "series=everything",
            "series=,",
            "from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z",
            "from=2999-01-01T00:00:00Z&to=2999-01-02T00:00:00Z",
            "from=yesterday",
            "from=2020-01-01T00:00:00Z",
            "from=-1000000000-01-01T00:00:00Z",
            "to=-1000000000-01-01T00:00:00Z",
            "window=30d&step=10s",
            "from=2026-11-20T00:00:00Z&to=2026-11-20T01:00:00Z&window=1h")) {
      assertProblem(server.get("system/history?" + query), 400, "invalid-argument");
    }
    assertThat(server.get("system/history?step=5s").text("/detail")).contains("10s, 1m, 10m, 1h");
    assertThat(server.get("system/history?series=mapped").text("/detail")).contains("bytesRead");
    assertProblem(server.get("system/history?limit=1"), 400, "unknown-parameter");
    assertProblem(server.get("system/forecast?window=1h"), 400, "unknown-parameter");
  }

  @Test
  void aForecastNeedsHistory() {
    Answer pool = server.get("system/forecast");

    assertThat(pool.status()).as(pool.toString()).isEqualTo(200);
    assertThat(pool.text("/outcome")).isIn("tooLittleHistory", "notGrowing");
    assertThat(pool.text("/sentence")).isNotEmpty();
    Answer container = server.get("containers/" + two.own + "/forecast");
    assertThat(container.text("/outcome")).isIn("tooLittleHistory", "notGrowing");
  }
}

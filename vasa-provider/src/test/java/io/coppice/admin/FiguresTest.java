package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.testing.ControlPlane;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Figures in the stream of events.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FiguresTest {

  private static final String INITIATOR = "iqn.2026-11.test:figures";
  private static final String READ_8 = "28000000000000000800"; // 8 blocks
  private static final JsonMapper JSON = JsonMapper.shared();

  private static AdminServer server;
  private static String container;
  private static VolumeId disk;

  @BeforeAll
  static void start() throws Exception {
    server = new AdminServer();
    container = server.container("figures");
    disk =
        server.control.volume(
            server.control.containers.require(UUID.fromString(container)),
            ControlPlane.GIB,
            Map.of("VMW_VVolName", "disk", "VMW_VmID", "vm,1"));
    server.control.write(disk, 0, 1 << 20, 1);
    OffloadsTest.export(server, disk, INITIATOR);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void eachObjectHasItsFiguresAgainAndAgain() throws Exception {
    String objects = "system,vm:vm,1,volume:" + disk;
    try (InputStream body = open(AdminServer.ADMIN, "events/stream?figures=" + objects)) {
      BufferedReader lines = lines(body);
      JsonNode system = next(lines, of("system"));
      JsonNode machine = next(lines, of("vm:vm,1"));
      JsonNode volume = next(lines, of("volume:" + disk));
      assertThat(volume.get("iops").get("read").asDouble()).isZero();
      assertThat(volume.get("used").asLong()).isEqualTo(1 << 20);
      assertThat(machine.get("used").asLong()).isEqualTo(1 << 20);
      assertThat(volume.has("free")).as("it does not apply").isFalse();
      assertThat(system.get("free").asLong()).isEqualTo(server.get("system").number("/space/free"));
      assertThat(system.get("used").asLong()).isEqualTo(server.get("system").number("/space/used"));

      OffloadsTest.send(server, INITIATOR, disk, READ_8, READ_8, READ_8, READ_8);
      server.control.diagnosed.addAndGet(TimeUnit.SECONDS.toNanos(2));
      for (String object : new String[] {"system", "vm:vm,1", "volume:" + disk}) {
        JsonNode busy =
            next(lines, of(object).and(one -> one.get("iops").get("read").asDouble() > 0));
        assertThat(busy.get("iops").get("read").asDouble()).as(object).isEqualTo(2);
        assertThat(busy.get("bandwidth").get("read").asDouble()).isEqualTo(2 * 8 * 512);
        assertThat(busy.get("bandwidth").get("write").asDouble()).isZero();
        assertThat(busy.get("at").asString()).isNotEmpty();
        assertThat(busy.get("device").isIntegralNumber()).isTrue();
      }
    }
  }

  @Test
  void whatIsDeletedHasNoFiguresAndOthersGoOn() throws Exception {
    String gone = server.volume(container, "gone");
    try (InputStream body =
        open(AdminServer.ADMIN, "events/stream?figures=volume:%s,system".formatted(gone))) {
      BufferedReader lines = lines(body);
      next(lines, of("volume:" + gone));
      server.control.engine.delete(OperationId.random(), VolumeId.parse(gone));
      next(lines, of("system"));
      next(lines, of("system")); // one of before may have been on its way
      for (int i = 0; i < 3; i++) {
        assertThat(next(lines, _ -> true).get("of").asString()).isEqualTo("system");
      }
    }
  }

  @Test
  void aStreamWithoutTheParameterHasNone() throws Exception {
    try (InputStream body = open(AdminServer.ADMIN, "events/stream")) {
      BufferedReader lines = lines(body);
      String made = server.container("silent");
      String line;
      do {
        line = lines.readLine();
        assertThat(line).isNotEqualTo("event: figures");
      } while (!line.contains(made));
    }
  }

  @Test
  void whatIsNoObjectOrNotThereIsRefused() {
    String snapshot = server.control.snapshot(disk).toString();
    String many =
        IntStream.range(0, 33)
            .mapToObj(_ -> "volume:" + UUID.randomUUID())
            .collect(Collectors.joining(","));
    for (String figures :
        new String[] {"host:1", "vm:", "volume:x", "system,system", "system,", "systems", many}) {
      assertProblem(server.get("events/stream?figures=" + figures), 400, "invalid-argument");
    }
    assertProblem(server.get("events/stream?figures="), 400, "invalid-argument");
    for (String figures :
        new String[] {"vm:none", "volume:" + UUID.randomUUID(), "volume:" + snapshot}) {
      assertProblem(server.get("events/stream?figures=" + figures), 404, "not-found");
    }
  }

  @Test
  void aBoundTokenHasFiguresOfWhatItMayRead() throws Exception {
    String own = server.container("own");
    String volume = server.volume(own, "own");
    String token =
        server
            .post(
                "tokens",
                "{\"name\": \"figures\", \"role\": \"volume-admin\", \"containers\": [\"%s\"]}"
                    .formatted(own))
            .text("/token");

    String path = "events/stream?figures=";
    assertProblem(server.callAs(token, "GET", path + "volume:" + disk, null), 404, "not-found");
    assertProblem(server.callAs(token, "GET", path + "vm:vm,1", null), 403, "forbidden");
    try (InputStream body = open(token, path + "system,volume:" + volume)) {
      assertThat(next(lines(body), of("volume:" + volume)).get("used").asLong()).isZero();
    }
  }

  /// Opens a stream. Those of other tests keep their places until the server writes to them.
  private static InputStream open(String token, String path) throws Exception {
    HttpResponse<InputStream> answer = server.open(token, path);
    while (answer.statusCode() == 503) {
      answer.body().close();
      server.container("written " + UUID.randomUUID());
      TimeUnit.MILLISECONDS.sleep(200);
      answer = server.open(token, path);
    }
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer.body();
  }

  private static Predicate<JsonNode> of(String object) {
    return figures -> figures.get("of").asString().equals(object);
  }

  private static BufferedReader lines(InputStream body) {
    return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
  }

  /// The next figures that are as wanted.
  private static JsonNode next(BufferedReader lines, Predicate<JsonNode> wanted)
      throws IOException {
    String type = "";
    String line;
    while ((line = lines.readLine()) != null) {
      if (line.startsWith("event: ")) {
        type = line.substring(7);
      } else if (line.startsWith("data: ") && type.equals("figures")) {
        JsonNode figures = JSON.readTree(line.substring(6));
        if (wanted.test(figures)) {
          return figures;
        }
      }
    }
    throw new AssertionError("expected more figures, but the stream has ended");
  }
}

package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.history.HistoryRecorder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The history and the metrics of hosts and initiators over REST: what they tell, of whom, to whom.
class HostHistoryTest {

  private static final String WEB_A = "iqn.2026-11.test:web-a";
  private static final String WEB_B = "iqn.2026-11.test:web-b";
  private static final String ESX = "iqn.2026-11.test:esx";
  private static final String NOBODY = "iqn.2026-11.test:of-no-host";
  private static final String READ_8 = "28000000000000000800"; // 8 blocks

  @TempDir private static Path folder;

  private static TwoContainers two;
  private static AdminServer server;
  private static HistoryRecorder recorder;
  private static String web;

  /// A host with two initiators, one of vCenter, and an initiator of no host read one volume.
  @BeforeAll
  static void start() throws Exception {
    two = new TwoContainers("--history-folder=" + folder);
    server = two.server;
    recorder = server.bean(HistoryRecorder.class);
    recorder.record();
    web =
        AdminServer.made(
            server.post(
                "hosts",
                "{\"name\": \"web\", \"initiators\": [\"%s\", \"%s\"]}".formatted(WEB_A, WEB_B)));
    server.control.luns.declareHost(OperationId.random(), new HostId("esx-1"), Set.of(ESX));
    VolumeId disk = VolumeId.parse(server.volume(two.other, "shared"));
    server.control.luns.export(
        OperationId.random(), disk, Optional.empty(), false, Set.of(WEB_A, WEB_B, ESX, NOBODY));
    Map<String, Integer> reads = Map.of(WEB_A, 50, WEB_B, 30, ESX, 20, NOBODY, 10);
    for (Map.Entry<String, Integer> one : reads.entrySet()) {
      OffloadsTest.send(
          server,
          one.getKey(),
          disk,
          Collections.nCopies(one.getValue(), READ_8).toArray(String[]::new));
    }
    server.control.clock.advance(Duration.ofSeconds(10));
    recorder.record();
  }

  @AfterAll
  static void stop() {
    two.close();
  }

  private static double last(String path, String series) {
    Answer answer = server.get(path + "/history?series=" + series);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    JsonNode values = answer.json().at("/series/0/values");
    return values.get(values.size() - 1).asDouble();
  }

  @Test
  void aHostIsTheSumOfItsInitiators() {
    assertThat(last("hosts/" + web, "reads")).isCloseTo(8, within(0.05));
    assertThat(last("hosts/" + web, "bytesRead")).isCloseTo(8 * 8 * 512, within(200.0));
    assertThat(last("hosts/" + web, "readDevice")).isPositive();
    assertThat(last("hosts/esx-1", "reads")).isCloseTo(2, within(0.02));
    assertThat(last("initiators/" + WEB_A, "reads")).isCloseTo(5, within(0.03));
    assertThat(last("initiators/" + WEB_B, "reads")).isCloseTo(3, within(0.02));
    assertThat(last("initiators/" + NOBODY, "reads")).isCloseTo(1, within(0.01));
    Answer all = server.get("hosts/" + web + "/history");
    assertThat(all.text("/id")).isEqualTo(web);
    assertThat(all.json().get("series").valueStream().map(one -> one.get("unit").asString()))
        .containsOnly("1/s", "B/s", "µs");
    assertProblem(server.get("hosts/" + web + "/history?series=mapped"), 400, "invalid-argument");
  }

  @Test
  void aHostThatIsForgottenLeavesItsInitiators() {
    String gone =
        AdminServer.made(
            server.post(
                "hosts", "{\"name\": \"gone\", \"initiators\": [\"%s\"]}".formatted(NOBODY)));
    assertThat(last("hosts/" + gone, "reads")).isCloseTo(1, within(0.01));
    assertThat(server.delete("hosts/" + gone).status()).isEqualTo(204);

    assertProblem(server.get("hosts/" + gone + "/history"), 404, "not-found");
    Answer initiator = server.get("initiators/IQN.2026-11.test:OF-no-host/history?series=reads");
    assertThat(initiator.text("/id")).as("names are lower case").isEqualTo(NOBODY);
  }

  @Test
  void namesThatAreNoneOrOfNobodyAreRefused() {
    assertProblem(server.get("hosts/nobody/history"), 404, "not-found");
    assertProblem(server.get("initiators/iqn.2026-11.test:never/history"), 404, "not-found");
    for (String name :
        List.of(
            "nobody",
            "iqn",
            "iqn.%20",
            "iqn.a%0d%0ab",
            "iqn.a%1b%5b2J",
            "iqn." + "a".repeat(220),
            "iqn." + "%c3%a9".repeat(120))) {
      assertProblem(server.get("initiators/" + name + "/history"), 400, "invalid-argument");
    }
    for (String name : List.of("iqn.'--", "iqn.%25s", "iqn.%22%7b%7d", "iqn.%e2%80%ae")) {
      assertProblem(server.get("initiators/" + name + "/history"), 404, "not-found");
    }
  }

  @Test
  void aTokenThatIsBoundToContainersSeesNothing() {
    assertProblem(two.as("GET", "hosts/" + web + "/history", null), 403, "forbidden");
    assertProblem(two.as("GET", "initiators/" + ESX + "/history", null), 403, "forbidden");
    assertProblem(two.as("GET", "initiators/iqn.never/history", null), 403, "forbidden");
    assertThat(Scrape.of(server.metrics(two.token, "metrics/hosts")).figures()).isEmpty();
    assertThat(server.metrics("", "metrics/hosts").status()).isEqualTo(401);
  }

  @Test
  void metricsStandByInitiatorWithItsHost() {
    Map<String, Double> figures =
        Scrape.of(server.metrics(AdminServer.ADMIN, "metrics/hosts")).figures();

    String labels = "host=\"%s\",initiator=\"%s\"";
    String webs = labels.formatted("web", WEB_A);
    String esx = labels.formatted("esx-1", ESX);
    assertThat(figures)
        .containsEntry("coppice_host_io_total{%s,op=\"read\"}".formatted(webs), 50.0)
        .containsEntry("coppice_host_io_total{%s,op=\"write\"}".formatted(webs), 0.0)
        .containsEntry("coppice_host_bytes_total{%s,op=\"read\"}".formatted(esx), 20.0 * 8 * 512)
        .containsKey(
            "coppice_host_phase_seconds_total{%s,op=\"read\",phase=\"device\"}"
                .formatted(labels.formatted("", NOBODY)));
    assertThat(
            figures.keySet().stream()
                .map(name -> name.substring(0, name.indexOf('{')))
                .collect(Collectors.toSet()))
        .hasSize(3);
  }
}

package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.driver.soap.ClientOptions;
import io.coppice.harness.Commands;
import io.coppice.harness.FreePorts;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The metrics of a running provider whose virtual machine is at work: the page that lists them,
/// and what a real Prometheus makes of them with the rules and dashboards of `config/monitoring`.
class MonitoringIT {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Path MONITORING = Path.of("../../config/monitoring");
  private static final int CHECK_SECONDS = 60;

  /// An alert compares something with a number at its end. What stands before it has a value while
  /// all is well, and so shows that the metrics and labels in it exist.
  private static final Pattern ALERT =
      Pattern.compile("(.+?)\\s*(?:==|!=|<=|>=|<|>)\\s*-?[0-9.]+", Pattern.DOTALL);

  private static final Pattern LABEL_VALUES =
      Pattern.compile("label_values\\((.+), [a-z_]+\\)", Pattern.DOTALL);

  @TempDir private static Path folder;

  private static RunningProvider provider;
  private static RunningProvider peer;
  private static RegisteredSite site;
  private static MachineAtWork machine;

  @BeforeAll
  static void start() throws Exception {
    provider =
        RunningProvider.start(
            folder,
            "--coppice.pool.capacity=1GB",
            "--coppice.watch.window=5s",
            "--coppice.pool.mirror=" + folder.resolve("mirror"),
            "--coppice.replication.address=127.0.0.1",
            "--coppice.replication.advertise=127.0.0.1",
            "--coppice.replication.port=" + FreePorts.take(1).getFirst());
    peer =
        RunningProvider.start(
            folder.resolve("peer"),
            "--coppice.pool.capacity=1GB",
            "--coppice.replication.address=127.0.0.1",
            "--coppice.replication.advertise=127.0.0.1",
            "--coppice.replication.port=" + FreePorts.take(1).getFirst());
    replicate();
    site = new RegisteredSite(provider, ClientOptions.defaults());
    machine = MachineAtWork.start(site);
  }

  /// Makes a replication group, and waits for its first replica.
  private static void replicate() throws InterruptedException {
    RestClient rest = provider.rest();
    String code = peer.rest().post("replication/codes", "").get("code").asString();
    String pool =
        id(
            "replication/peers",
            "{\"address\": \"127.0.0.1:%d\", \"code\": \"%s\"}"
                .formatted(peer.process().management().getPort(), code));
    String container = id("containers", "{\"name\": \"replicated\", \"quota\": 67108864}");
    String volume =
        id(
            "volumes",
            "{\"name\": \"replicated\", \"size\": 8388608, \"container\": \"%s\"}"
                .formatted(container));
    String group =
        id(
            "replication/groups",
            "{\"name\": \"shop\", \"peer\": \"%s\", \"interval\": \"PT5S\", \"members\": [{\"volume\": \"%s\"}]}"
                .formatted(pool, volume));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CHECK_SECONDS);
    while (!rest.get("replication/groups/" + group).get("newest").isString()
        && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static String id(String path, String body) {
    return provider.rest().post(path, body).get("id").asString();
  }

  @AfterAll
  static void stop() {
    if (machine != null) {
      machine.close();
    }
    if (site != null) {
      site.close();
    }
    if (provider != null) {
      provider.close();
    }
    if (peer != null) {
      peer.close();
    }
  }

  /// The watch has figures of a volume when it has looked twice.
  private static String volumesWithAWatch() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CHECK_SECONDS);
    String volumes = provider.rest().text("/metrics/volumes");
    while (!volumes.contains("coppice_volume_written_entropy_bits") && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(500);
      volumes = provider.rest().text("/metrics/volumes");
    }
    return volumes;
  }

  @Test
  void thePageListsEveryMetricWithItsTypeAndItsLabels() throws Exception {
    machine.awaitRound();
    MetricsPage page = MetricsPage.read(Path.of("../../docs/metrics.md"));
    Map<String, String> served = new TreeMap<>();
    served.putAll(MetricsPage.families(provider.rest().text("/metrics")));
    served.putAll(MetricsPage.families(volumesWithAWatch()));
    served.putAll(MetricsPage.families(provider.rest().text("/metrics/hosts")));

    assertThat(page.ofCoppice()).isEqualTo(MetricsPage.onlyOfCoppice(served));
    assertThat(page.all())
        .as("the Java machine's, of which some depend on its collector")
        .containsAllEntriesOf(served);
    assertThat(page.wrongUnits()).as("metrics whose name and unit differ").isEmpty();
  }

  @Test
  void everyAlertFiresWhenItsTimeHasComeAndNoneWhileAllIsWell() {
    assumeTrue(Commands.exists("promtool"), "promtool is not installed (package prometheus)");

    Commands.require(
        CHECK_SECONDS,
        "promtool",
        "test",
        "rules",
        "src/test/resources/monitoring/alerts-test.yaml");
  }

  @Test
  void everyExpressionOfDashboardsAndAlertsHasAValue() throws Exception {
    assumeTrue(Commands.exists("prometheus"), "prometheus is not installed (package prometheus)");
    assumeTrue(Commands.exists("promtool"), "promtool is not installed (package prometheus)");
    Path settings = settings();
    Commands.require(
        CHECK_SECONDS, "promtool", "check", "rules", settings.resolve("alerts.yaml").toString());
    Commands.require(
        CHECK_SECONDS,
        "promtool",
        "check",
        "config",
        settings.resolve("prometheus.yaml").toString());
    try (PrometheusProcess prometheus = PrometheusProcess.start(settings)) {
      prometheus.awaitTargets("coppice", "coppice-volumes", "coppice-hosts");
      Map<String, String> expressions = new LinkedHashMap<>(dashboards());
      assertThat(expressions).hasSizeGreaterThan(50);
      Map<String, String> alerts = alerts(prometheus);
      assertThat(alerts).hasSizeGreaterThan(13);
      expressions.putAll(alerts);

      Map<String, String> missing = prometheus.awaitValues(expressions);

      assertThat(missing).as("expressions without a value").isEmpty();
      assertThat(prometheus.brokenRules()).as("rules that cannot be evaluated").isEmpty();
    }
  }

  /// The configuration as it is shipped, but for the address, the files and how often it looks.
  private static Path settings() throws IOException {
    Path settings = Files.createDirectories(folder.resolve("prometheus"));
    String address = "localhost:" + provider.process().management().getPort();
    String shipped = Files.readString(MONITORING.resolve("prometheus.yaml"));
    assertThat(shipped).contains("storage.example:9443", "15s", "1m");
    Files.writeString(
        settings.resolve("prometheus.yaml"),
        shipped.replace("storage.example:9443", address).replace("15s", "1s").replace("1m", "1s"));
    Files.copy(MONITORING.resolve("alerts.yaml"), settings.resolve("alerts.yaml"));
    Files.copy(
        provider.process().home().resolve("tls/root.crt"), settings.resolve("coppice-root.crt"));
    String token =
        provider
            .rest()
            .post("tokens", "{\"name\": \"prometheus\", \"role\": \"operator\"}")
            .get("token")
            .asString();
    Files.writeString(settings.resolve("coppice.token"), token);
    return settings;
  }

  /// Expressions by dashboard and panel, with values for the variables that Grafana fills in.
  private static Map<String, String> dashboards() throws IOException {
    Map<String, String> expressions = new TreeMap<>();
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.list(MONITORING.resolve("dashboards"))) {
      all.sorted().forEach(files::add);
    }
    assertThat(files).hasSize(5);
    for (Path file : files) {
      JsonNode board = JSON.readTree(Files.readString(file));
      for (JsonNode panel : board.get("panels")) {
        for (JsonNode target : panel.get("targets")) {
          expressions.put(
              "%s, %s, %s"
                  .formatted(
                      board.get("title").asString(),
                      panel.get("title").asString(),
                      target.get("refId").asString()),
              filledIn(target.get("expr").asString()));
        }
      }
      for (JsonNode variable : board.at("/templating/list")) {
        Matcher values = LABEL_VALUES.matcher(variable.get("query").asString());
        if (values.matches()) {
          expressions.put(
              "%s, variable %s"
                  .formatted(board.get("title").asString(), variable.get("name").asString()),
              filledIn(values.group(1)));
        }
      }
    }
    return expressions;
  }

  private static String filledIn(String expression) {
    String filled =
        expression
            .replace("$__rate_interval", "10s")
            .replace("$instance", ".*")
            .replace("$vm", ".+");
    assertThat(filled)
        .as("an expression with a variable that this test does not know")
        .doesNotContain("$");
    return filled;
  }

  /// What each alert compares with its threshold.
  private static Map<String, String> alerts(PrometheusProcess prometheus) {
    Map<String, String> compared = new TreeMap<>();
    for (JsonNode rule : prometheus.rules()) {
      String name = rule.get("name").asString();
      for (String annotation : List.of("summary", "effect", "remedy")) {
        assertThat(rule.at("/annotations/" + annotation).asString())
            .as("%s of the alert %s", annotation, name)
            .isNotBlank();
      }
      Matcher alert = ALERT.matcher(rule.get("query").asString());
      assertThat(alert.matches())
          .as("alert %s compares with a number at its end: %s", name, rule.get("query").asString())
          .isTrue();
      compared.put("alert " + name, alert.group(1));
    }
    return compared;
  }
}

package io.coppice.it;

import io.coppice.harness.Commands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A Prometheus of this machine on a free port of the loopback address, with a store of its own.
final class PrometheusProcess implements AutoCloseable {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int END_SECONDS = 30;

  private final Process process;
  private final Path log;
  private final URI api;
  private final HttpClient http = HttpClient.newHttpClient();

  private PrometheusProcess(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.api = URI.create("http://127.0.0.1:%d/api/v1/".formatted(port));
  }

  /// @param settings folder with `prometheus.yaml`; gets its store and its log
  static PrometheusProcess start(Path settings) throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Path log = settings.resolve("prometheus.log");
    Process process =
        new ProcessBuilder(
                Commands.path("prometheus"),
                "--config.file=" + settings.resolve("prometheus.yaml"),
                "--storage.tsdb.path=" + settings.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new PrometheusProcess(process, log, port);
  }

  /// Waits until the last scrape of each of these jobs was a success.
  void awaitTargets(String... jobs) {
    for (String job : jobs) {
      await("a scrape of the job " + job, () -> hasValue("up{job=\"%s\"} == 1".formatted(job)));
    }
  }

  /// Asks for each expression until each had a number, or [#PATIENCE] is over.
  ///
  /// @return those that had none
  Map<String, String> awaitValues(Map<String, String> expressions) {
    Map<String, String> missing = new TreeMap<>(expressions);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!missing.isEmpty() && System.nanoTime() < end) {
      missing.values().removeIf(this::hasValue);
      pause();
    }
    return missing;
  }

  /// Whether an expression has a value that is a number.
  private boolean hasValue(String expression) {
    JsonNode data = ask("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
    for (JsonNode series : data.path("result")) {
      if (!series.at("/value/1").asString().equals("NaN")) {
        return true;
      }
    }
    return false;
  }

  /// The rules of the first group.
  JsonNode rules() {
    return ask("rules").at("/groups/0/rules");
  }

  /// The rules whose evaluation has failed, with the reasons, once all were evaluated.
  List<String> brokenRules() {
    await(
        "an evaluation of each rule",
        () ->
            rules()
                .valueStream()
                .noneMatch(rule -> rule.get("health").asString().equals("unknown")));
    List<String> broken = new ArrayList<>();
    for (JsonNode rule : rules()) {
      if (!rule.get("health").asString().equals("ok")) {
        broken.add(rule.get("name").asString() + ": " + rule.path("lastError").asString());
      }
    }
    return broken;
  }

  /// The data of an answer; an empty object while there is none.
  private JsonNode ask(String path) {
    try {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(api.resolve(path)).build(),
              HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() == 400) {
        throw new AssertionError("refused: " + path + ": " + answer.body());
      }
      return answer.statusCode() == 200
          ? JSON.readTree(answer.body()).path("data")
          : JSON.createObjectNode();
    } catch (IOException e) { // it does not listen yet
      return JSON.createObjectNode();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end || !process.isAlive()) {
        throw new AssertionError(
            "expected %s by now; Prometheus says:%n%s".formatted(what, said()));
      }
      pause();
    }
  }

  private String said() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

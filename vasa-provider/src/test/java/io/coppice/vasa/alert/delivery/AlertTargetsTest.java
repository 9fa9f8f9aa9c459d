package io.coppice.vasa.alert.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.vasa.alert.Alert;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.testing.ControlPlane;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Webhooks, over TLS to a server that behaves and one that does not.
class AlertTargetsTest {

  private static final String KEY = "a-key-for-signatures";
  private static final ControlPlane CONTROL = new ControlPlane();
  private static final SecretBox BOX = SecretBox.of(new byte[SecretBox.KEY_BYTES]);
  private static final DeliverySettings SETTINGS =
      new DeliverySettings(
          4,
          10,
          Duration.ofSeconds(2),
          Duration.ofSeconds(1),
          Duration.ofHours(1),
          Duration.ZERO,
          true);

  private static Issuer issuer;
  private static ServedCertificate certificate;

  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch hanging = new CountDownLatch(1);
  private volatile Answer answer = exchange -> exchange.sendResponseHeaders(204, -1);
  private HttpsServer server;
  private AlertTargets targets = targets(SETTINGS);

  /// How the server answers.
  @FunctionalInterface
  private interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  /// A request.
  private record Received(String path, Map<String, List<String>> headers, String body) {

    String header(String name) {
      return headers.get(name).getFirst();
    }

    JsonNode json() {
      return JsonMapper.builder().build().readTree(body);
    }
  }

  @BeforeAll
  static void certificates() {
    Instant now = Instant.now();
    issuer = Issuer.create("Test", now, Duration.ofDays(2));
    certificate = issuer.issue(List.of("localhost", "127.0.0.1"), now, Duration.ofDays(1));
  }

  @BeforeEach
  void start() throws Exception {
    CONTROL.jdbc.sql("DELETE FROM alert_target").update();
    char[] password = "password".toCharArray();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(
        "key", certificate.key(), password, certificate.chain().toArray(Certificate[]::new));
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::receive);
    server.start();
  }

  private void receive(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    received.add(
        new Received(
            exchange.getRequestURI().getPath(), Map.copyOf(exchange.getRequestHeaders()), body));
    try (exchange) {
      answer.to(exchange);
    }
  }

  @AfterEach
  void stop() {
    hanging.countDown();
    targets.close();
    server.stop(0);
  }

  private static AlertTargets targets(DeliverySettings settings) {
    return new AlertTargets(
        new AlertTargets.Keeping(
            new TargetRows(CONTROL.jdbc, BOX), CONTROL.transactions, CONTROL.store.changes()),
        settings,
        Instant::now);
  }

  private Target webhook(String name) {
    return webhook(name, Pem.of(issuer.served().leaf()));
  }

  private Target webhook(String name, String ca) {
    return new Target(
        UUID.randomUUID(),
        name,
        true,
        AlertSeverity.WARNING,
        new Target.Webhook(
            URI.create("https://localhost:%d/hook".formatted(server.getAddress().getPort()))),
        KEY,
        ca,
        0);
  }

  private static Alert alert(int percent) {
    return alert(percent, AlertSeverity.WARNING);
  }

  private static Alert alert(int percent, AlertSeverity severity) {
    return new Alert(
        UUID.randomUUID(),
        "pool",
        "pool:space",
        severity,
        new AlertSubject("system", "pool", null, null),
        "PoolSpace",
        Map.of("percent", "" + percent),
        Instant.now(),
        false,
        null,
        null,
        null);
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(end - System.nanoTime()).as(what).isPositive();
      Thread.sleep(10);
    }
  }

  private int waiting() {
    return targets.all().stream().mapToInt(AlertTargets.Known::waiting).sum();
  }

  private String obstacle(Target target) {
    return targets.require(target.id()).obstacle();
  }

  @Test
  void aMessageSaysWhatIsWrongAndIsSigned() throws Exception {
    targets.add(webhook("hook"));
    Alert alert = alert(85);
    targets.raised(alert);
    await("arrival", () -> received.size() == 1 && waiting() == 0);

    Received got = received.getFirst();
    assertThat(got.path()).isEqualTo("/hook");
    assertThat(got.json().get("event").asString()).isEqualTo("raised");
    assertThat(got.json().get("alert").asString()).isEqualTo(alert.id().toString());
    assertThat(got.json().get("cause").asString()).isEqualTo("The pool is 85 % full.");
    assertThat(got.json().get("remedy").asString()).startsWith("Delete snapshots");
    assertThat(got.header("Idempotency-key")).isEqualTo(got.json().get("id").asString());
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    String signed = got.header("X-coppice-timestamp") + "." + got.body();
    assertThat(got.header("X-coppice-signature"))
        .isEqualTo(
            "sha256="
                + HexFormat.of().formatHex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void whatFailsIsTriedAgainInItsOrderWithTheSameId() throws Exception {
    Target target = webhook("hook");
    targets.add(target);
    answer = exchange -> exchange.sendResponseHeaders(500, -1);
    targets.raised(alert(81));
    targets.raised(alert(82));
    await("a failure", () -> obstacle(target) != null);
    assertThat(obstacle(target)).isEqualTo("the webhook answered 500");

    int before = received.size();
    answer = exchange -> exchange.sendResponseHeaders(200, -1);
    await("arrival", () -> waiting() == 0);

    List<Received> all = received.subList(before - 1, received.size());
    assertThat(all.getFirst().json().get("cause").asString()).contains("81");
    assertThat(all.get(1).json().get("id")).isEqualTo(all.getFirst().json().get("id"));
    assertThat(all.getLast().json().get("cause").asString()).contains("82");
    assertThat(obstacle(target)).isNull();
  }

  @Test
  void aRedirectIsNotFollowed() throws Exception {
    Target target = webhook("hook");
    targets.add(target);
    answer =
        exchange -> {
          exchange.getResponseHeaders().set("Location", "/elsewhere");
          exchange.sendResponseHeaders(307, -1);
        };
    targets.raised(alert(81));
    await("a failure", () -> obstacle(target) != null);

    assertThat(obstacle(target)).isEqualTo("the webhook answered 307");
    assertThat(received).allMatch(one -> one.path().equals("/hook"));
  }

  @Test
  void anAnswerWithoutEndIsNotRead() throws Exception {
    targets.add(webhook("hook"));
    answer =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          OutputStream out = exchange.getResponseBody();
          byte[] junk = new byte[1 << 16];
          while (hanging.getCount() > 0) {
            out.write(junk); // until the client goes
          }
        };
    targets.raised(alert(81));

    await("arrival", () -> waiting() == 0);
    assertThat(received).hasSize(1);
  }

  @Test
  void aServerThatHangsHoldsUpNobodyElse() throws Exception {
    Target target = webhook("hook");
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Target hung =
          new Target(
              UUID.randomUUID(),
              "silent",
              true,
              AlertSeverity.WARNING,
              new Target.Webhook(
                  URI.create("https://localhost:%d/".formatted(silent.getLocalPort()))),
              KEY,
              target.ca(),
              0);
      targets.add(hung);
      targets.add(target);
      targets.raised(alert(81));
      await("arrival", () -> received.size() == 1);

      await("the end of patience", () -> obstacle(hung) != null);
      assertThat(obstacle(hung)).isNotEmpty();
      await("three failures", () -> !targets.look().isEmpty());
      assertThat(targets.look().getFirst().key()).isEqualTo("delivery:" + hung.id());
      assertThat(targets.look()).hasSize(1);
    }
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
    Issuer other = Issuer.create("Other", Instant.now(), Duration.ofDays(2));
    Target target = webhook("hook", Pem.of(other.served().leaf()));
    targets.add(target);
    targets.raised(alert(81));
    await("a failure", () -> obstacle(target) != null);

    assertThat(obstacle(target)).contains("unable to find valid certification path");
    assertThat(received).isEmpty();
  }

  @Test
  void thisMachineItselfAndLinkLocalAddressesGetNothing() throws Exception {
    targets.close();
    targets =
        targets(
            new DeliverySettings(
                4,
                10,
                SETTINGS.patience(),
                SETTINGS.longestPause(),
                SETTINGS.kept(),
                Duration.ZERO,
                false));
    Target own = webhook("own");
    Target metadata =
        new Target(
            UUID.randomUUID(),
            "metadata",
            true,
            AlertSeverity.WARNING,
            new Target.Webhook(URI.create("https://169.254.169.254/latest")),
            KEY,
            null,
            0);
    targets.add(own);
    targets.add(metadata);
    targets.raised(alert(81));
    await("failures", () -> obstacle(own) != null && obstacle(metadata) != null);

    assertThat(obstacle(own)).contains("to which nothing is sent");
    assertThat(obstacle(metadata)).contains("169.254.169.254, to which nothing is sent");
    assertThat(received).isEmpty();
  }

  @Test
  void whatWaitsSurvivesARestartAndArrivesOnceThatIsKnown() throws Exception {
    Target target = webhook("hook");
    targets.add(target);
    answer = exchange -> exchange.sendResponseHeaders(503, -1);
    Alert alert = alert(81);
    targets.raised(alert);
    await("a failure", () -> obstacle(target) != null);
    targets.save();
    targets.close();
    String id = received.getFirst().json().get("id").asString();
    received.clear();

    answer = exchange -> exchange.sendResponseHeaders(200, -1);
    targets = targets(SETTINGS);
    assertThat(targets.isReady()).isFalse();
    targets.load();
    targets.raised(alert); // told again, as after a crash before its row said so
    await("arrival", () -> received.size() >= 1 && waiting() == 0);
    targets.save();

    assertThat(received).extracting(one -> one.json().get("id").asString()).containsOnly(id);
    assertThat(CONTROL.jdbc.sql("SELECT count(*) FROM alert_message").query(Integer.class).single())
        .isZero();
  }

  @Test
  void theOldestAreGivenUpAndCounted() throws Exception {
    Target target = webhook("hook");
    targets.add(target);
    answer = exchange -> exchange.sendResponseHeaders(500, -1);
    for (int i = 0; i < 15; i++) {
      targets.raised(alert(i));
    }

    assertThat(targets.require(target.id()).waiting()).isEqualTo(10);
    assertThat(targets.require(target.id()).lost()).isEqualTo(5);
  }

  @Test
  void aTargetGetsNothingBelowItsSeverityAndATestAtOnce() throws Exception {
    Target target = webhook("hook");
    Target strict =
        new Target(
            target.id(),
            target.name(),
            true,
            AlertSeverity.CRITICAL,
            target.way(),
            KEY,
            target.ca(),
            0);
    targets.add(strict);
    targets.raised(alert(81));
    targets.raised(alert(96, AlertSeverity.CRITICAL));
    await("arrival", () -> received.size() == 1);
    assertThat(received.getFirst().json().get("severity").asString()).isEqualTo("critical");

    targets.test(target.id());
    await("the test", () -> targets.require(target.id()).test().outcome().equals("delivered"));
    assertThat(received.getLast().json().get("event").asString()).isEqualTo("test");
    answer = exchange -> exchange.sendResponseHeaders(404, -1);
    targets.test(target.id());
    await("the test", () -> targets.require(target.id()).test().outcome().equals("failed"));
    assertThat(targets.require(target.id()).test().reason()).isEqualTo("the webhook answered 404");
  }

  @Test
  void secretsAreSealedInTheRows() {
    targets.add(webhook("hook"));

    String row =
        CONTROL
            .jdbc
            .sql("SELECT alert_target::text FROM alert_target")
            .query(String.class)
            .single();
    assertThat(row).doesNotContain(KEY).doesNotContain("localhost").contains("hook");
  }
}

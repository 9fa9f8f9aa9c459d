package io.coppice.vasa.alert.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.secret.SecretBox;
import io.coppice.vasa.alert.Alert;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.testing.ControlPlane;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Mail to a real server in a process of its own: Debian's `aiosmtpd`, which demands STARTTLS, or
/// TLS from the first byte on, and a log-in. Skipped where it is missing.
class MailTest {

  private static final ControlPlane CONTROL = new ControlPlane();
  private static final DeliverySettings SETTINGS =
      new DeliverySettings(
          8,
          100,
          Duration.ofSeconds(3),
          Duration.ofSeconds(1),
          Duration.ofHours(1),
          Duration.ofMillis(300),
          false);

  @TempDir static Path folder;

  private static MailServer server;
  private static String authority;

  private final AlertTargets targets =
      new AlertTargets(
          new AlertTargets.Keeping(
              new TargetRows(CONTROL.jdbc, SecretBox.of(new byte[SecretBox.KEY_BYTES])),
              CONTROL.transactions,
              CONTROL.store.changes()),
          SETTINGS,
          Instant::now);

  @BeforeAll
  static void start() throws Exception {
    MailServer.assumeInstalled();
    Instant now = Instant.now();
    Issuer issuer = Issuer.create("Test", now, Duration.ofDays(2));
    ServedCertificate served = issuer.issue(List.of("localhost"), now, Duration.ofDays(1));
    authority = Pem.of(issuer.served().leaf());
    server = MailServer.start(folder, served);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void empty() {
    CONTROL.jdbc.sql("DELETE FROM alert_target").update();
    server.forget();
  }

  @AfterEach
  void end() {
    targets.close();
  }

  private Target mail(String name, int port, String password, String to, String ca) {
    return mail(name, Target.Security.STARTTLS, port, password, to, ca);
  }

  private Target tls(int port, String ca) {
    return mail("tls", Target.Security.TLS, port, MailServer.PASSWORD, "ops@example.com", ca);
  }

  private Target mail(
      String name, Target.Security security, int port, String password, String to, String ca) {
    return new Target(
        UUID.randomUUID(),
        name,
        true,
        AlertSeverity.WARNING,
        new Target.Mail(
            "localhost", port, security, MailServer.USER, "coppice@example.com", List.of(to)),
        password,
        ca,
        0);
  }

  private Target right(String name) {
    return mail(name, server.port(), MailServer.PASSWORD, "ops@example.com", authority);
  }

  private static Alert alert(String what) {
    return new Alert(
        UUID.randomUUID(),
        "pool",
        "pool:service",
        AlertSeverity.CRITICAL,
        new AlertSubject("system", "pool", null, null),
        "PoolDegraded",
        Map.of("what", what),
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

  private String failure(Target target) throws InterruptedException {
    targets.add(target);
    targets.raised(alert("a disk."));
    await("a failure", () -> targets.require(target.id()).obstacle() != null);
    return targets.require(target.id()).obstacle();
  }

  @Test
  void anAlertIsAMailAndManyAreOne() throws Exception {
    targets.add(right("ops"));
    targets.raised(alert("a disk is gone.\r\nBcc: all@example.com\r\n\r\nHello"));
    await("the first mail", () -> server.mails().size() == 1);
    for (int i = 0; i < 20; i++) {
      targets.raised(alert("disk %d ä.".formatted(i)));
    }
    await("all of them", () -> String.join("", server.mails()).contains("disk 19"));

    String first = server.mails().getFirst();
    assertThat(first)
        .contains("\"from\": \"coppice@example.com\"", "\"to\": [\"ops@example.com\"]")
        .contains("[Coppice] critical: The pool serves, but lacks something: a disk is gone.")
        .contains("Remedy: Mend or replace what is missing")
        .contains("\"headers\": [\"Date\", \"From\", \"To\", \"Message-ID\", \"Subject\"");
    assertThat(server.mails()).as("a digest").hasSizeLessThan(5);
    assertThat(server.mails().get(1)).contains("alerts, the first:");
  }

  @Test
  void aWrongPasswordIsSaid() throws Exception {
    assertThat(failure(mail("ops", server.port(), "wrong", "ops@example.com", authority)))
        .contains("the mail server said: 535");
    assertThat(server.mails()).isEmpty();
  }

  @Test
  void aRecipientThatTheServerDoesNotKnowIsSaid() throws Exception {
    assertThat(
            failure(
                mail("ops", server.port(), MailServer.PASSWORD, "nobody@example.com", authority)))
        .contains("Invalid Addresses");
  }

  @Test
  void aServerOfAnotherAuthorityGetsNoPassword() throws Exception {
    Issuer other = Issuer.create("Other", Instant.now(), Duration.ofDays(2));
    assertThat(
            failure(
                mail(
                    "ops",
                    server.port(),
                    MailServer.PASSWORD,
                    "ops@example.com",
                    Pem.of(other.served().leaf()))))
        .contains("its certificate was refused", "PKIX path");
    assertThat(server.mails()).isEmpty();
  }

  @Test
  void aMailGoesByTlsFromTheFirstByteOn() throws Exception {
    targets.add(tls(server.tlsPort(), authority));
    targets.raised(alert("a disk is gone."));
    await("the mail", () -> server.mails().size() == 1);

    assertThat(server.mails().getFirst())
        .contains("\"to\": [\"ops@example.com\"]", "a disk is gone.");
    assertThat(targets.all().getFirst().obstacle()).isNull();
  }

  @Test
  void aTlsServerOfAnotherAuthorityGetsNoPassword() throws Exception {
    Issuer other = Issuer.create("Other", Instant.now(), Duration.ofDays(2));

    assertThat(failure(tls(server.tlsPort(), Pem.of(other.served().leaf()))))
        .contains("its certificate was refused")
        .contains("PKIX path");
    assertThat(server.mails()).isEmpty();
  }

  @Test
  void aServerThatSpeaksInTheClearGetsNothingByTls() throws Exception {
    assertThat(failure(tls(server.plainPort(), authority)))
        .contains("expected TLS from the first byte on")
        .contains("starttls");
    assertThat(failure(mail("next", server.tlsPort(), "p", "ops@example.com", authority)))
        .as("STARTTLS at a port that waits for TLS")
        .isNotEmpty();
    assertThat(server.mails()).isEmpty();
  }

  @Test
  void aTlsServerThatSaysNothingHoldsUpNobody() throws Exception {
    targets.add(right("ops"));
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertThat(failure(tls(silent.getLocalPort(), authority))).isNotEmpty();
      await("the other one", () -> server.mails().size() == 1);
      try (Socket attempt = silent.accept()) {
        attempt.setSoTimeout(20_000);
        assertThat(attempt.getInputStream().readAllBytes())
            .as("a client's hello and the end of the connection: the attempt is over")
            .isNotEmpty()
            .startsWith(22);
      }
    }
  }

  @Test
  void aServerThatSaysNothingHoldsUpNobody() throws Exception {
    targets.add(right("ops"));
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertThat(
              failure(
                  mail(
                      "silent",
                      silent.getLocalPort(),
                      MailServer.PASSWORD,
                      "ops@example.com",
                      authority)))
          .isNotEmpty();
      await("the other one", () -> server.mails().size() == 1);
    }
  }
}

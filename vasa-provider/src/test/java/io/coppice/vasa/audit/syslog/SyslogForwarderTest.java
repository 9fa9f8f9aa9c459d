package io.coppice.vasa.audit.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.audit.AuditSite;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The way to a syslog server that is real, over TCP and TLS: one that takes everything, resets,
/// hangs, is away, or is another one than it should be.
class SyslogForwarderTest {

  private static final Duration YEAR = Duration.ofDays(365);

  @TempDir Path folder;
  private AuditSite site;
  private @Nullable SyslogForwarder forwarder;

  @BeforeEach
  void open() {
    site = new AuditSite(folder.resolve("audit"));
    site.start();
  }

  @AfterEach
  void close() {
    if (forwarder != null) {
      forwarder.close();
    }
    site.close();
  }

  private void forward(int port, SyslogSettings.Transport transport, String ca) {
    forwarder =
        new SyslogForwarder(
            site.trail(),
            site.jdbc(),
            new SyslogSettings(
                "localhost:" + port, transport, ca, 32473, 2048, Duration.ofSeconds(1)),
            "array-1",
            () -> true);
    forwarder.start();
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
    }
  }

  /// Writes one entry, and waits until a new server has got it.
  private void firstEntry(SyslogReceiver server) {
    await("a position", () -> position() >= 0);
    site.write(1);
    await("the first entry", () -> !server.numbers().isEmpty());
  }

  private long position() {
    return site.jdbc()
        .sql("select coalesce(max(position), -1) from audit_syslog")
        .query(Long.class)
        .single();
  }

  private void awaitAll(SyslogReceiver server, long from, long to) {
    List<Long> all = LongStream.rangeClosed(from, to).boxed().toList();
    await(
        "entries %d to %d, got %s".formatted(from, to, server.numbers()),
        () -> server.numbers().stream().distinct().toList().equals(all));
  }

  @Test
  void entriesGoOverTcpInTheirOrderWithTheirHashes() throws Exception {
    site.write(2); // before there was a server
    try (SyslogReceiver server = SyslogReceiver.tcp()) {
      forward(server.port(), SyslogSettings.Transport.TCP, "");
      firstEntry(server);
      site.write(300);
      awaitAll(server, 3, 303);
      assertThat(server.messages().getLast())
          .startsWith("<109>1 2026-11-21T12:00:00Z array-1 coppice ")
          .contains(" audit [coppice@32473 seq=\"303\" hash=\"" + site.hashAt(303) + "\"")
          .contains("outcome=\"done\" actor=\"walker\" action=\"PATCH /containers/{id}\"")
          .contains("] \uFEFFwalker: PATCH /containers/{id} object-299: done asked.name=gold");
      assertThat(forwarder.obstacle()).isEmpty();
    }
  }

  @Test
  void entriesGoOverTls() throws Exception {
    Issuer authority = Issuer.create("authority of logs", Instant.now(), YEAR);
    ServedCertificate served = authority.issue(List.of("localhost"), Instant.now(), YEAR);
    Path ca = Files.writeString(folder.resolve("ca.pem"), Pem.of(authority.served().leaf()));
    try (SyslogReceiver server = SyslogReceiver.tls(served)) {
      forward(server.port(), SyslogSettings.Transport.TLS, ca.toString());
      firstEntry(server);
      site.write(20);
      awaitAll(server, 1, 21);
    }
  }

  @Test
  void aServerWithAnotherNameOrAuthorityGetsNothing() throws Exception {
    Issuer authority = Issuer.create("authority of logs", Instant.now(), YEAR);
    Issuer other = Issuer.create("another authority", Instant.now(), YEAR);
    Path ca = Files.writeString(folder.resolve("ca.pem"), Pem.of(authority.served().leaf()));
    for (ServedCertificate wrong :
        List.of(
            authority.issue(List.of("other.example"), Instant.now(), YEAR),
            other.issue(List.of("localhost"), Instant.now(), YEAR))) {
      try (SyslogReceiver server = SyslogReceiver.tls(wrong)) {
        forward(server.port(), SyslogSettings.Transport.TLS, ca.toString());
        await("an obstacle", () -> forwarder.obstacle().isPresent());
        site.write(3);
        assertThat(server.messages()).isEmpty();
        forwarder.close();
      }
    }
  }

  @Test
  void aServerThatResetsGetsAllOfItInTheEnd() throws Exception {
    try (SyslogReceiver server = SyslogReceiver.tcp()) {
      forward(server.port(), SyslogSettings.Transport.TCP, "");
      firstEntry(server);
      for (int i = 0; i < 3; i++) {
        server.resetAll();
        site.write(50);
      }
      awaitAll(server, 1, 151);
    }
  }

  @Test
  void aServerThatIsAwayDelaysEntriesAndHoldsNobodyUp() throws Exception {
    int port;
    try (SyslogReceiver server = SyslogReceiver.tcp()) {
      port = server.port();
      forward(port, SyslogSettings.Transport.TCP, "");
      firstEntry(server);
    }
    site.write(40);
    await("an obstacle", () -> forwarder.obstacle().isPresent());
    assertThat(forwarder.obstacle().orElseThrow()).contains("localhost:" + port);
    try (SyslogReceiver server = SyslogReceiver.tcp(port)) {
      await("the last entry", () -> server.numbers().contains(41L));
      assertThat(server.numbers().stream().filter(seq -> seq > 1).distinct())
          .isEqualTo(LongStream.rangeClosed(2, 41).boxed().toList());
      await("no obstacle", () -> forwarder.obstacle().isEmpty());
    }
  }

  @Test
  void aServerThatTakesNothingLosesItsConnection() throws Exception {
    try (SyslogReceiver server = SyslogReceiver.hanging()) {
      forward(server.port(), SyslogSettings.Transport.TCP, "");
      await("a position", () -> position() >= 0);
      while (forwarder.obstacle().isEmpty()) {
        site.write(50); // nobody waits for the server
        assertThat(site.trail().lastSeq()).isLessThan(100_000);
      }
      server.readOn();
      long last = site.trail().lastSeq();
      await("the last entry", () -> server.numbers().contains(last));
      assertThat(server.numbers().stream().sorted().distinct())
          .isEqualTo(LongStream.rangeClosed(1, last).boxed().toList());
    }
  }

  @Test
  void whatAgedOutUnsentIsCountedAndNoted() throws Exception {
    int port;
    try (SyslogReceiver server = SyslogReceiver.tcp()) {
      port = server.port();
      forward(port, SyslogSettings.Transport.TCP, "");
      firstEntry(server);
      await("a settled position", () -> position() == 1);
    }
    forwarder.close();
    site.write(1200);
    assertThat(site.trail().age()).isEqualTo(301);
    try (SyslogReceiver server = SyslogReceiver.tcp()) {
      forward(server.port(), SyslogSettings.Transport.TCP, "");
      await(
          "the note", () -> server.messages().stream().anyMatch(it -> it.contains("audit.unsent")));
      assertThat(forwarder.lost()).isEqualTo(300);
      assertThat(
              server.messages().stream()
                  .filter(it -> it.contains("audit.unsent"))
                  .findFirst()
                  .orElseThrow())
          .contains("after.first=2 after.last=301 after.count=300");
      assertThat(server.numbers().getFirst()).isEqualTo(302);
    }
  }

  @Test
  void sendingGoesOnAfterARestart() throws Exception {
    try (SyslogReceiver server = SyslogReceiver.tcp()) {
      forward(server.port(), SyslogSettings.Transport.TCP, "");
      firstEntry(server);
      await("a settled position", () -> position() == 1);
      forwarder.close();
      site.write(10);
      forward(server.port(), SyslogSettings.Transport.TCP, "");
      awaitAll(server, 1, 11);
      assertThat(server.numbers()).doesNotHaveDuplicates();
    }
  }

  @Test
  void messagesAreBoundedAndEscaped() throws IOException {
    SyslogFormat format =
        new SyslogFormat(
            "a host\n",
            7,
            new SyslogSettings(
                "", SyslogSettings.Transport.TCP, "", 99999, 1024, Duration.ofSeconds(1)));
    String nasty = "\"]\\\n\u0000é\uD83D\uDE00".repeat(300);
    byte[] message = format.message(site.entry(nasty));
    assertThat(message.length).isLessThanOrEqualTo(1024);
    String text = new String(message, java.nio.charset.StandardCharsets.UTF_8);
    assertThat(text)
        .startsWith("<109>1 ")
        .contains(" ahost coppice 7 audit [coppice@99999 seq=")
        .doesNotContain("\n", "\u0000");
    String data = text.substring(text.indexOf('['), text.indexOf("] \uFEFF") + 1);
    assertThat(data).matches("\\[coppice@99999( [a-z]+=\"([^\"\\\\\\]]|\\\\[\"\\\\\\]])*\")+]");
  }
}

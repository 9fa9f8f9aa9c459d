package io.coppice.vasa.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.certificate.Issuer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RefusedClientsTest {

  private Instant now = Instant.parse("2026-11-21T10:00:00Z");
  private final RefusedClients refused = new RefusedClients(() -> now);

  @Test
  void aClientIsToldWithItsCertificateAndHowOften() {
    X509Certificate leaf = Issuer.create("host one", now, Duration.ofDays(9)).served().leaf();
    var caller =
        new VasaCaller("10.0.0.1", Optional.of(new ClientChain(List.of(leaf))), Optional.empty());
    refused.refused(caller, "chains to no registered root");
    Instant first = now;
    now = now.plusSeconds(10);
    refused.refused(caller, "chains to no registered root");

    assertThat(refused.all())
        .singleElement()
        .isEqualTo(
            new RefusedClients.Refusal(
                "10.0.0.1",
                "CN=host one,O=Coppice",
                "CN=host one,O=Coppice",
                leaf.getNotAfter().toInstant(),
                "chains to no registered root",
                2,
                first,
                now));
    refused.admitted(caller);
    assertThat(refused.all()).isEmpty();
  }

  @Test
  void aHandshakeThatWasBrokenOffIsToldWithoutACertificate() {
    refused.brokenOff("10.0.0.1", "Received fatal alert: unknown_ca");
    refused.brokenOff("10.0.0.1", "Received fatal alert: unknown_ca");

    assertThat(refused.all())
        .singleElement()
        .satisfies(
            refusal -> {
              assertThat(refusal.times()).isEqualTo(2);
              assertThat(refusal.subject()).isNull();
              assertThat(refusal.reason()).endsWith("unknown_ca");
            });
  }

  @Test
  void anotherReasonOfAClientIsLoggedAndTheSameOneIsNot() {
    var logger = (Logger) LoggerFactory.getLogger(RefusedClients.class);
    // Reading settings, as other tests do, silences the log of a process.
    logger.getLoggerContext().resetTurboFilterList();
    var logged = new ListAppender<ILoggingEvent>();
    logged.start();
    logger.addAppender(logged);
    try {
      for (String reason : List.of("first", "first", "second", "second", "third\nline")) {
        now = now.plusSeconds(2);
        refused.refused(stranger("10.0.0.1"), reason);
      }
      refused.refused(stranger("10.0.0.1"), "at once");
    } finally {
      logger.detachAppender(logged);
    }

    assertThat(List.copyOf(logged.list))
        .extracting(event -> String.valueOf(event.getKeyValuePairs()))
        .hasSize(3)
        .satisfiesExactly(
            line -> assertThat(line).contains("first"),
            line -> assertThat(line).contains("second"),
            line -> assertThat(line).contains("third line"));
    assertThat(refused.all().getFirst().reason()).isEqualTo("at once");
    assertThat(refused.all().getFirst().times()).isEqualTo(6);
  }

  @Test
  void strangersDoNotFillTheMemory() {
    for (int i = 0; i < 3 * RefusedClients.MOST; i++) {
      now = now.plusSeconds(1);
      refused.refused(stranger("10.0.0." + i), "no certificate");
    }

    assertThat(refused.all()).hasSize(RefusedClients.MOST);
    assertThat(refused.all().getFirst().address()).isEqualTo("10.0.0.299");
    assertThat(refused.all().getLast().address()).isEqualTo("10.0.0.200");
  }

  private static VasaCaller stranger(String address) {
    return new VasaCaller(address, Optional.empty(), Optional.empty());
  }
}

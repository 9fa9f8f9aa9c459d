package io.coppice.app.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.pairing.PairingCalls;
import io.coppice.vasa.replication.pairing.PairingMessages;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/// The call of a pairing, to servers over TLS that answer well, badly and not at all.
@Timeout(60)
class PairingOverHttpTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final ServedCertificate FIRST = certificate("first");
  private static final ServedCertificate SECOND = certificate("second");

  private static final PairingMessages.Request REQUEST =
      new PairingMessages.Request(UUID.randomUUID(), "b", "b:9444", "key", "nonce", "a-proof");

  private static final PairingMessages.Answer ANSWER =
      new PairingMessages.Answer(
          UUID.randomUUID(), "a", "a:9444", "authority", "certificate", "proof");

  private final PairingCalls calls =
      new PairingOverHttp(Duration.ofSeconds(1), Duration.ofSeconds(2));

  private static ServedCertificate certificate(String name) {
    return Issuer.create(name, Instant.now(), Duration.ofDays(1)).served();
  }

  private static ScriptedTlsServer saying(String head, String body) throws Exception {
    return new ScriptedTlsServer(List.of(FIRST), ScriptedTlsServer.saying(head, body));
  }

  private VasaException refused(ScriptedTlsServer server) {
    return refused(server.address());
  }

  private VasaException refused(String address) {
    VasaException failure =
        catchThrowableOfType(VasaException.class, () -> calls.call(address, _ -> REQUEST));
    assertThat(failure).as(address).isNotNull();
    assertThat(failure.fault()).isEqualTo(new Fault.InvalidArgument());
    return failure;
  }

  @Test
  void answerComesWithTheCertificateThatTheRequestWasMadeFor() throws Exception {
    AtomicReference<X509Certificate> asked = new AtomicReference<>();
    try (ScriptedTlsServer server = saying("200 OK", JSON.writeValueAsString(ANSWER))) {
      PairingCalls.Answered answered =
          calls.call(
              server.address(),
              shown -> {
                asked.set(shown);
                return REQUEST;
              });

      assertThat(answered.answer()).isEqualTo(ANSWER);
      assertThat(answered.server()).isEqualTo(FIRST.leaf()).isEqualTo(asked.get());
      assertThat(server.requests)
          .singleElement()
          .asString()
          .startsWith("POST /api/v1/replication/pairings HTTP/1.1")
          .endsWith(JSON.writeValueAsString(REQUEST));
    }
  }

  @Test
  void otherServerAtTheSecondHandshakeReceivesNothing() throws Exception {
    try (ScriptedTlsServer server =
        new ScriptedTlsServer(
            List.of(FIRST, SECOND),
            ScriptedTlsServer.saying("200 OK", JSON.writeValueAsString(ANSWER)))) {
      assertThat(refused(server))
          .hasMessageContaining(Pem.fingerprint(FIRST.leaf()))
          .hasMessageContaining(Pem.fingerprint(SECOND.leaf()));
      assertThat(server.requests).isEmpty();
    }
  }

  @Test
  void refusalIsPassedOnInOneShortLine() throws Exception {
    String detail = "expected the code\\r\\n\\u2028that is shown" + "!".repeat(10_000);
    try (ScriptedTlsServer server =
        saying("401 Unauthorized", "{\"detail\": \"%s\"}".formatted(detail))) {
      VasaException failure = refused(server);

      assertThat(failure.argument()).isEqualTo("code");
      assertThat(failure.getMessage())
          .contains("'expected the code   that is shown!!!")
          .hasSizeLessThan(500);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>",
        "[]",
        "7",
        "null",
        "{\"pool\": \"no id\"}",
        "{\"pool\": {}, \"name\": []}"
      })
  void answerThatIsNoneIsSaidToBeSo(String body) throws Exception {
    for (String head : List.of("200 OK", "404 Not Found", "500 Internal Server Error")) {
      try (ScriptedTlsServer server = saying(head, body)) {
        VasaException failure = refused(server);

        assertThat(failure.argument()).isEqualTo("address");
        assertThat(failure).hasMessageContaining("status " + head.substring(0, 3));
      }
    }
  }

  @Test
  void redirectIsNotFollowed() throws Exception {
    try (ScriptedTlsServer elsewhere = saying("200 OK", JSON.writeValueAsString(ANSWER));
        ScriptedTlsServer server =
            saying("307 Temporary Redirect\r\nLocation: https://" + elsewhere.address(), "")) {
      assertThat(refused(server)).hasMessageContaining("status 307");
      assertThat(elsewhere.requests).isEmpty();
    }
  }

  @Test
  void longAnswerIsNotReadToItsEnd() throws Exception {
    ScriptedTlsServer.Script endless =
        out -> {
          out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.UTF_8));
          while (true) {
            out.write(new byte[1 << 10]);
          }
        };
    try (ScriptedTlsServer server = new ScriptedTlsServer(List.of(FIRST), endless)) {
      assertThat(refused(server)).hasMessageContaining("at most 65536 bytes");
    }
    try (ScriptedTlsServer server =
        saying("200 OK", "{\"name\": \"%s\"}".formatted("n".repeat(70_000)))) {
      assertThat(refused(server)).hasMessageContaining("at most 65536 bytes");
    }
  }

  @Test
  void silentServerIsGivenUp() throws Exception {
    ScriptedTlsServer.Script silent = _ -> Thread.sleep(Duration.ofMinutes(1));
    try (ScriptedTlsServer server = new ScriptedTlsServer(List.of(FIRST), silent)) {
      assertThat(refused(server)).hasMessageContaining("within 2 s").hasMessageContaining("over");
    }
    ScriptedTlsServer.Script halfSaid =
        out -> {
          out.write(
              "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{".getBytes(StandardCharsets.UTF_8));
          out.flush();
          Thread.sleep(Duration.ofMinutes(1));
        };
    try (ScriptedTlsServer server = new ScriptedTlsServer(List.of(FIRST), halfSaid)) {
      assertThat(refused(server)).hasMessageContaining("within 2 s").hasMessageContaining("over");
    }
  }

  @Test
  void serverThatNeverShowsItsCertificateIsGivenUp() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      long begun = System.nanoTime();

      assertThat(refused("127.0.0.1:" + listener.getLocalPort()))
          .hasMessageContaining("not reached")
          .hasMessageContaining("check the address");
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    }
  }

  @Test
  void whereNobodyListensIsSaid() throws Exception {
    int port;
    try (ServerSocket listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      port = listener.getLocalPort();
    }
    assertThat(refused("127.0.0.1:" + port))
        .hasMessageContaining("not reached at 127.0.0.1:" + port);
    assertThat(refused("no-such-host.invalid")).hasMessageContaining("no-such-host.invalid:9443");
  }

  @ParameterizedTest
  @ValueSource(strings = {"array-1", "array-1.example", "10.0.0.1", "[fd00::1]"})
  void addressWithoutPortHasTheUsualOne(String address) {
    assertThat(PairingServer.parse(address)).isEqualTo(new PairingServer(address, 9443));
    assertThat(PairingServer.parse(address + ":65535"))
        .isEqualTo(new PairingServer(address, 65535));
    assertThat(PairingServer.parse(address).pairings())
        .hasToString("https://" + address + ":9443/api/v1/replication/pairings");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":9443",
        "a:",
        "a:0",
        "a:65536",
        "a:999999",
        "a:-1",
        "https://a:9443",
        "a:9443/",
        "a/b",
        "a?b",
        "a#b",
        "user@a",
        "user:word@a:9443",
        "a b",
        "a\n",
        "a\r\nHost: b",
        "a\u0000",
        "\u00e4",
        "a_b",
        "..",
        "-",
        "fd00::1",
        "[fd00::1",
        "[::::]",
        "[fd00::1%eth0]",
        "[]:9443"
      })
  void whatIsNoAddressIsRefused(String address) {
    VasaException failure = refused(address);

    assertThat(failure.argument()).isEqualTo("address");
    assertThat(failure.getMessage()).startsWith("expected host or host:port").doesNotContain("\n");
  }

  @Test
  void longAddressIsRefusedInAShortSentence() {
    assertThat(refused("a".repeat(5000)).getMessage()).hasSizeLessThan(500);
  }
}

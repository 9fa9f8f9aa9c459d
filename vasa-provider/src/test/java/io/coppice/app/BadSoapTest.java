package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.coppice.app.VasaClient.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/// Requests that are no VASA calls: each is answered with one sentence, in the version of SOAP that
/// its sender speaks, and the next call of the same client works.
class BadSoapTest {

  private static final String TEXT_XML = "text/xml; charset=UTF-8";
  private static final String SOAP_XML = "application/soap+xml; charset=UTF-8";
  private static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";
  private static final int LIMIT = 1 << 20;

  @RegisterExtension
  private static final SharedProvider provider =
      new SharedProvider(
          "--coppice.vasa.limits.request-size=1MB",
          "--coppice.vasa.limits.request-depth=20",
          "--coppice.vasa.limits.request-elements=500",
          "--coppice.vasa.limits.request-time=10s");

  private VasaClient client;

  @BeforeEach
  void connect() throws Exception {
    client = provider.client(null);
  }

  @AfterEach
  void theNextCallWorks() throws Exception {
    assertThat(client.callEmpty("queryCatalog").fault()).isEqualTo("InvalidSession");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/vasa/services/vasaService",
        "/%76asa/services/vasaService",
        "/%76%61sa/version.xml",
        "/x/../vasa/services/vasaService",
        "/./vasa/version.xml",
        "/x/%2e%2e/vasa/version.xml",
        "//vasa/version.xml",
        "/vasa;x=1/version.xml",
      })
  void vasaIsNotServedOnTheManagementPortHoweverItsPathIsWritten(String path) throws Exception {
    assertThat(statusLine(provider.get().managementPort(), path)).containsAnyOf(" 404", " 400");
    assertThat(statusLine(provider.get().vasaPort(), path)).doesNotContain(" 404");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/system",
        "/%61pi/v1/system",
        "/vasa/../api/v1/system",
        "/vasa/%2e%2e/api/v1/system",
      })
  void restIsNotServedOnTheVasaPortHoweverItsPathIsWritten(String path) throws Exception {
    assertThat(statusLine(provider.get().vasaPort(), path)).containsAnyOf(" 404", " 400");
    assertThat(statusLine(provider.get().managementPort(), path)).doesNotContain(" 404");
  }

  @Test
  void limitOfABodyHoldsHoweverItsPathIsWritten() throws Exception {
    String tooLong = "Content-Type: text/xml\r\nContent-Length: " + (LIMIT + 1);

    assertThat(
            statusLine(provider.get().vasaPort(), "POST", "/%76asa/services/vasaService", tooLong))
        .contains(" 413");
    assertThat(
            statusLine(
                provider.get().managementPort(), "POST", "/%76asa/services/vasaService", tooLong))
        .contains(" 404");
  }

  private static String statusLine(int port, String path) throws Exception {
    return statusLine(port, "GET", path, "X-Nothing: 0");
  }

  /// What a port says to a request whose path is sent as it stands.
  private static String statusLine(int port, String method, String path, String header)
      throws Exception {
    try (var socket = new VasaClient(port, null).connect()) {
      socket.setSoTimeout(30_000);
      socket
          .getOutputStream()
          .write(
              "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n\r\n"
                  .formatted(method, path, header)
                  .getBytes(StandardCharsets.US_ASCII));
      var reader =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      return Objects.requireNonNull(reader.readLine(), "a status line");
    }
  }

  @Test
  void malformedXmlIsAnsweredInTheVersionOfItsContentType() throws Exception {
    for (String bad : List.of("", "this is no XML", "<s:Envelope", "<a></b>", "<a>&#0;</a>")) {
      assertSentence(client.send(bad, TEXT_XML, false), VasaClient.SOAP_11);
      assertSentence(client.send(bad, SOAP_XML, false), SOAP_12);
    }
  }

  @Test
  void xmlThatIsNoEnvelopeOrNoOperationIsAnsweredInItsVersion() throws Exception {
    assertSentence(client.send("<envelope/>", TEXT_XML, false), VasaClient.SOAP_11);
    assertSentence(client.send("<envelope/>", SOAP_XML, false), SOAP_12);
    assertSentence(client.call("formatEverything", ""), VasaClient.SOAP_11);
    assertSentence(
        client.send(
            VasaClient.envelope("<ns:setContext/>").replace(VasaClient.SOAP_11, "urn:soap:9"),
            TEXT_XML,
            false),
        VasaClient.SOAP_11);
    assertSentence(
        client.send(
            VasaClient.envelope("<ns:formatEverything/>").replace(VasaClient.SOAP_11, SOAP_12),
            SOAP_XML,
            false),
        SOAP_12);
  }

  @Test
  void valueOfAnotherTypeIsRefused() throws Exception {
    Reply reply = client.open("<d:sessionTimeoutInSeconds>soon</d:sessionTimeoutInSeconds>");

    assertThat(sentence(reply, VasaClient.SOAP_11)).contains("expected a number", "soon");
  }

  @Test
  void elementOfALaterVersionIsPassedOver() throws Exception {
    Reply reply = client.open("<d:quantumGuid>1</d:quantumGuid><d:vcGuid>v</d:vcGuid>");

    assertThat(reply.fault()).isEqualTo("InvalidSession");
  }

  @Test
  void bodyOfAnotherTypeIsRefused() throws Exception {
    assertSentence(client.send("{\"a\": 1}", "application/json", false), VasaClient.SOAP_11);
  }

  @Test
  void bodyOverTheLimitIsRefusedBeforeItIsRead() throws Exception {
    String big = "x".repeat(LIMIT + 1);

    Reply reply = client.send(big, TEXT_XML, false);

    assertThat(reply.status()).isEqualTo(413);
    assertThat(reply.text().strip())
        .isEqualTo("expected a request of at most 1048576 bytes, got 1048577");
  }

  @Test
  void endlessBodyIsCutOffAtTheLimit() throws Exception {
    String start = VasaClient.envelope("<ns:setContext>").replaceFirst("</s:Body>.*", "");

    for (var body :
        List.of(
            new Endless(start, "<ns:usageContext>  </ns:usageContext>"),
            new Endless(start + "<ns:usageContext>", "text "),
            new Endless("", " "))) {
      assertThat(sentence(client.stream(TEXT_XML, body), VasaClient.SOAP_11))
          .isIn(
              "expected a request of at most 1048576 bytes, got more",
              "expected a SOAP message, got a body that cannot be read: Maximum Number of Child"
                  + " Elements limit (500) Exceeded");
      assertThat(body.taken).as("bytes taken from the sender").isLessThan(32 << 20);
    }
  }

  @Test
  @Timeout(120)
  void slowBodyIsCutOffWhenItsTimeIsOver() throws Exception {
    String start = VasaClient.envelope("<ns:setContext>").replaceFirst("</s:Body>.*", "");

    assertThat(answerWhileSending(start, Duration.ofMillis(100)))
        .contains("expected the whole request within 10 s, got a part of it");
  }

  @Test
  @Timeout(120)
  void bodyThatDoesNotGoOnIsCutOffAndLoggedInOneSentence() throws Exception {
    var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    var logged = new ListAppender<ILoggingEvent>();
    logged.start();
    root.addAppender(logged);
    try {
      assertThat(answerWhileSending("<", Duration.ofDays(1))).startsWith("HTTP/1.1 408");
    } finally {
      root.detachAppender(logged);
    }
    assertThat(List.copyOf(logged.list))
        .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getFormattedMessage())
                  .isEqualTo("expected the whole request within 10 s, got a part of it");
              assertThat(event.getThrowableProxy()).isNull();
            });
  }

  /// What the port says to a request whose body begins with a text and then goes on with a space
  /// now and then, up to a length that it does not reach.
  private static String answerWhileSending(String start, Duration pause) throws Exception {
    try (Socket socket = provider.client(null).connect()) {
      socket.setSoTimeout(60_000);
      OutputStream out = socket.getOutputStream();
      out.write(
          """
          POST /vasa/services/vasaService HTTP/1.1\r
          Host: localhost\r
          Content-Type: text/xml\r
          Content-Length: 500000\r
          \r
          """
              .getBytes(StandardCharsets.US_ASCII));
      out.write(start.getBytes(StandardCharsets.UTF_8));
      Thread sender = Thread.ofVirtual().start(() -> sendSpaces(out, pause));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      sender.interrupt();
      return answer;
    }
  }

  private static void sendSpaces(OutputStream out, Duration pause) {
    try {
      while (!Thread.interrupted()) {
        LockSupport.parkNanos(pause.toNanos());
        out.write(' ');
      }
    } catch (IOException _) {
      // The port has closed the connection, as it should.
    }
  }

  @Test
  void deepNestingIsRefused() throws Exception {
    Reply reply = client.call("setContext", "<ns:a>".repeat(20_000) + "</ns:a>".repeat(20_000));

    assertThat(sentence(reply, VasaClient.SOAP_11)).contains("Depth limit (20)");
  }

  @Test
  void tooManyElementsAreRefused() throws Exception {
    Reply reply = client.call("queryArrays", "<ns:arrayUniqueId>a</ns:arrayUniqueId>".repeat(5000));

    assertThat(sentence(reply, VasaClient.SOAP_11)).contains("Child Elements limit (500)");
  }

  @Test
  void tooManyOrTooLongAttributesAreRefused() throws Exception {
    String many =
        Stream.iterate(0, n -> n < 2000, n -> n + 1)
            .map(n -> "a" + n + "='1' ")
            .reduce("", String::concat);

    assertSentence(client.call("queryArrays", "<ns:x " + many + "/>"), VasaClient.SOAP_11);
    assertSentence(
        client.call("queryArrays", "<ns:x a='" + "y".repeat(100_000) + "'/>"), VasaClient.SOAP_11);
  }

  @Test
  void entitiesAreNeitherExpandedNorFetched() throws Exception {
    var laughs = new StringBuilder("<!DOCTYPE s [<!ENTITY a0 'ha'>");
    for (int i = 1; i < 30; i++) {
      laughs.append("<!ENTITY a%d '&a%d;&a%d;'>".formatted(i, i - 1, i - 1));
    }
    laughs.append("]>");
    String use = VasaClient.envelope("<ns:setContext>&a29;</ns:setContext>");
    String file = "<!DOCTYPE s [<!ENTITY f SYSTEM 'file:///etc/hostname'>]>";
    String fetch = VasaClient.envelope("<ns:setContext>&f;</ns:setContext>");

    for (String request : List.of(laughs + use, file + fetch)) {
      assertThat(sentence(client.send(request, TEXT_XML, false), VasaClient.SOAP_11))
          .isEqualTo("expected a SOAP message without a document type declaration, got one");
    }
  }

  private static void assertSentence(Reply reply, String version) {
    assertThat(sentence(reply, version)).isNotBlank();
  }

  private static String sentence(Reply reply, String version) {
    assertThat(reply.status()).as(reply.text()).isBetween(400, 500);
    assertThat(reply.document().getDocumentElement().getNamespaceURI())
        .as(reply.text())
        .isEqualTo(version);
    String sentence = reply.value(version.equals(SOAP_12) ? "Text" : "faultstring").strip();
    assertThat(sentence).doesNotContain("\n", "Exception", "io.coppice", "org.apache");
    assertThat(sentence.length()).as(sentence).isLessThan(300);
    return sentence;
  }

  /// A body that begins with one text and goes on with another as long as it is read.
  private static final class Endless extends InputStream {

    private final byte[] start;
    private final byte[] again;
    private long taken;

    Endless(String start, String again) {
      this.start = start.getBytes(StandardCharsets.UTF_8);
      this.again = again.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int read() {
      long at = taken++;
      return at < start.length
          ? start[(int) at]
          : again[(int) ((at - start.length) % again.length)];
    }
  }
}

package io.coppice.driver.soap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.coppice.driver.pki.CertificateAuthority;
import io.coppice.driver.pki.ServerTrust;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An HTTPS server that answers each action with the golden message of `docs/wire`.
public final class GoldenServer implements AutoCloseable {
  static final Path WIRE = Path.of("../../docs/wire");
  public static final Path SCHEMAS = Path.of("../../wsdl/src/main/resources/wsdl");
  static final CertificateAuthority AUTHORITY = CertificateAuthority.create("golden");
  static final String SESSION = "52b1c0a4-93e7-4d6f-8f0e-6a4b1f0d7c11";

  private static final String INVALID_SESSION =
      """
      <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"
          xmlns:ns="http://com.vmware.vim.vasa/2.0/xsd"><s:Body><s:Fault>
        <faultcode>s:Server</faultcode><faultstring>unknown session</faultstring>
        <detail><ns:InvalidSession><ns:InvalidSession/></ns:InvalidSession></detail>
      </s:Fault></s:Body></s:Envelope>
      """;
  private static final Pattern ACTION = Pattern.compile("urn:([A-Za-z]+)");

  private final HttpsServer server;
  private final Map<String, String> kinds = new ConcurrentHashMap<>();
  private volatile boolean keepsCertificate;
  private volatile Request last = new Request("", "", "", "");

  /// The last request as it came.
  public record Request(String operation, String contentType, String cookie, String body) {}

  private GoldenServer(HttpsServer server) {
    this.server = server;
  }

  public static GoldenServer start() throws IOException {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    server.setHttpsConfigurator(
        new HttpsConfigurator(
            ServerTrust.serverContext(AUTHORITY.issueServer("localhost", "127.0.0.1"))));
    GoldenServer golden = new GoldenServer(server);
    server.createContext("/", golden::answer);
    server.start();
    return golden;
  }

  public URI uri() {
    return URI.create("https://localhost:" + server.getAddress().getPort() + "/vasa");
  }

  VasaClient client(ClientOptions options, CallLog log) {
    ServerTrust trust = ServerTrust.authorities(List.of(AUTHORITY.certificate()));
    return new VasaClient(uri(), "test", trust.context(null), options, log);
  }

  /// From now on the operation is answered with `<operation>.<kind>.xml`.
  void answer(String operation, String kind) {
    kinds.put(operation, kind);
  }

  /// From now on the operation is answered with InvalidSession.
  void forgetSession(String operation) {
    kinds.put(operation, "forgotten");
  }

  public Request last() {
    return last;
  }

  /// From now on every reply that says so says that the provider keeps its own certificate.
  public void keepCertificate() {
    keepsCertificate = true;
  }

  private void announce(HttpExchange exchange) throws IOException {
    byte[] bytes =
        "<supportedVersions><version id='2.0' serviceLocation='/vasa'/></supportedVersions>"
            .getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    if (exchange.getRequestMethod().equals("GET")) {
      announce(exchange);
      return;
    }
    String type = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"));
    String action = String.valueOf(exchange.getRequestHeaders().getFirst("SOAPAction"));
    Matcher matcher = ACTION.matcher(action + type);
    String operation = matcher.find() ? matcher.group(1) : "none";
    last =
        new Request(
            operation,
            type,
            String.valueOf(exchange.getRequestHeaders().getFirst("Cookie")),
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    boolean soap12 = type.contains("application/soap+xml");
    String kind = kinds.getOrDefault(operation, "reply");
    String text =
        kind.equals("forgotten")
            ? INVALID_SESSION
            : Files.readString(file(operation, kind, soap12));
    if (soap12) {
      text = text.replace(Namespaces.SOAP_11, Namespaces.SOAP_12);
    }
    if (keepsCertificate) {
      text =
          text.replace("retainVasaProviderCertificate>false", "retainVasaProviderCertificate>true");
    }
    if (operation.equals("setContext")) {
      exchange
          .getResponseHeaders()
          .add("Set-Cookie", "VASASESSIONID=" + SESSION + "; Secure; HttpOnly");
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "text/xml; charset=utf-8");
    exchange.sendResponseHeaders(kind.equals("reply") ? 200 : 500, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static Path file(String operation, String kind, boolean soap12) {
    Path special = WIRE.resolve(operation + "." + kind + ".soap12.xml");
    return soap12 && Files.exists(special)
        ? special
        : WIRE.resolve(operation + "." + kind + ".xml");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

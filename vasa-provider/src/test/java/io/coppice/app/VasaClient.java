package io.coppice.app;

import io.coppice.vasa.certificate.ServedCertificate;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// A client of the VASA port with its own envelopes: nothing of the stubs.
final class VasaClient {

  static final String SERVICE = "http://com.vmware.vim.vasa/2.0/xsd";
  static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";

  private final URI base;
  private final SSLContext tls;
  private final HttpClient http;
  private String service = "/vasa/services/vasaService";
  private @Nullable String session;

  VasaClient(int port, @Nullable ServedCertificate certificate) throws Exception {
    this(port, certificate, "127.0.0.1");
  }

  /// @param address that it calls from, one of the loopback's
  VasaClient(int port, @Nullable ServedCertificate certificate, String address) throws Exception {
    this.base = URI.create("https://127.0.0.1:" + port);
    this.tls = context(certificate);
    this.http =
        HttpClient.newBuilder()
            .sslContext(tls)
            .connectTimeout(Duration.ofSeconds(10))
            .localAddress(InetAddress.getByName(address))
            .build();
  }

  /// A reply: its HTTP status, its body's text and the parsed document.
  record Reply(int status, String text, Document document, Optional<String> cookie) {

    /// Text of the first element of that name in any namespace.
    String value(String name) {
      List<String> all = values(name);
      if (all.isEmpty()) {
        throw new AssertionError("expected an element %s in %s".formatted(name, text));
      }
      return all.getFirst();
    }

    List<String> values(String name) {
      NodeList nodes = document.getElementsByTagNameNS("*", name);
      List<String> values = new ArrayList<>();
      for (int i = 0; i < nodes.getLength(); i++) {
        values.add(nodes.item(i).getTextContent());
      }
      return values;
    }

    /// Local name of the fault's detail element, or "" if this is no fault or it has no type.
    String fault() {
      for (String name : List.of("detail", "Detail")) {
        NodeList details = document.getElementsByTagNameNS("*", name);
        if (details.getLength() > 0 && details.item(0).getFirstChild() instanceof Element fault) {
          return fault.getLocalName();
        }
      }
      return "";
    }
  }

  /// Calls with a request element around `arguments`.
  Reply call(String operation, String arguments) throws Exception {
    return send(
        envelope("<ns:%s>%s</ns:%s>".formatted(operation, arguments, operation)),
        "\"urn:" + operation + "\"");
  }

  /// Calls an operation whose request has an empty body.
  Reply callEmpty(String operation) throws Exception {
    return send(envelope(""), "urn:" + operation);
  }

  static String envelope(String body) {
    return """
    <s:Envelope xmlns:s="%s" xmlns:ns="%s" xmlns:d="http://data.vasa.vim.vmware.com/xsd">\
    <s:Body>%s</s:Body></s:Envelope>\
    """
        .formatted(SOAP_11, SERVICE, body);
  }

  Reply send(String envelope, @Nullable String action) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(service))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "text/xml; charset=UTF-8")
            .POST(HttpRequest.BodyPublishers.ofString(envelope));
    if (action != null) {
      request.header("SOAPAction", action);
    }
    return exchange(request);
  }

  /// Sends with a content type of the caller's choice, as SOAP 1.2 and MTOM need.
  Reply send(String body, String contentType, boolean binary) throws Exception {
    return exchange(
        HttpRequest.newBuilder(base.resolve(service))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", contentType)
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  /// Sends a body whose length it does not tell.
  Reply stream(String contentType, InputStream body) throws Exception {
    return exchange(
        HttpRequest.newBuilder(base.resolve(service))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", contentType)
            .POST(HttpRequest.BodyPublishers.ofInputStream(() -> body)));
  }

  private Reply exchange(HttpRequest.Builder request) throws Exception {
    if (session != null) {
      request.header("Cookie", "VASASESSIONID=" + session);
    }
    HttpResponse<String> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    Optional<String> cookie =
        response
            .headers()
            .firstValue("Set-Cookie")
            .filter(value -> value.startsWith("VASASESSIONID="))
            .map(value -> value.replaceFirst("VASASESSIONID=([^;]*).*", "$1"));
    return new Reply(response.statusCode(), response.body(), parse(response.body()), cookie);
  }

  HttpResponse<String> get(String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(base.resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  /// A call of the REST API.
  ///
  /// @return its status
  int rest(String method, String path, String token, String body) throws Exception {
    return http.send(
            HttpRequest.newBuilder(base.resolve(path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /// Calls at another path from now on.
  void useService(String path) {
    service = path;
  }

  /// Uses another session id from now on.
  void useSession(@Nullable String id) {
    session = id;
  }

  /// Opens a session as a vCenter and keeps it.
  Reply openAsVcenter(String guid) throws Exception {
    return open("<d:vcGuid>" + guid + "</d:vcGuid>");
  }

  /// Opens a session as a host and keeps it.
  Reply openAsHost(String guid, String initiator) throws Exception {
    return open(
        "<d:hostGuid>%s</d:hostGuid><d:hostInitiator><d:iscsiIdentifier>%s</d:iscsiIdentifier></d:hostInitiator>"
            .formatted(guid, initiator));
  }

  Reply open(String context) throws Exception {
    Reply reply = call("setContext", "<ns:usageContext>" + context + "</ns:usageContext>");
    reply.cookie().ifPresent(id -> session = id);
    return reply;
  }

  /// Registers roots with a password.
  Reply register(String password, List<String> roots, List<String> lists) throws Exception {
    var arguments = new StringBuilder();
    arguments
        .append("<ns:providerUserName>vasa</ns:providerUserName><ns:providerPassword>")
        .append(password)
        .append("</ns:providerPassword>");
    roots.forEach(pem -> arguments.append("<ns:caRootCert>" + pem + "</ns:caRootCert>"));
    lists.forEach(pem -> arguments.append("<ns:caCRL>" + pem + "</ns:caCRL>"));
    return call("registerCACertificatesAndCRLs", arguments.toString());
  }

  /// The certificate that a new handshake shows.
  X509Certificate served() throws Exception {
    try (Socket socket = tls.getSocketFactory().createSocket("127.0.0.1", base.getPort())) {
      var secure = (SSLSocket) socket;
      secure.startHandshake();
      return (X509Certificate) secure.getSession().getPeerCertificates()[0];
    }
  }

  /// A connection after its handshake, for requests that no HTTP client sends.
  Socket connect() throws Exception {
    return tls.getSocketFactory().createSocket("127.0.0.1", base.getPort());
  }

  private static Document parse(String text) throws Exception {
    var factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    String xml = text.startsWith("<") ? text : "<none/>";
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(xml.getBytes("UTF-8")));
  }

  /// Trusts every server.
  static SSLContext context(@Nullable ServedCertificate certificate) throws Exception {
    KeyManager[] keys = null;
    if (certificate != null) {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "client",
          certificate.key(),
          new char[0],
          certificate.chain().toArray(X509Certificate[]::new));
      var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, new char[0]);
      keys = factory.getKeyManagers();
    }
    var context = SSLContext.getInstance("TLS");
    context.init(keys, new TrustManager[] {new AnyServer()}, null);
    return context;
  }

  private static final class AnyServer extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}

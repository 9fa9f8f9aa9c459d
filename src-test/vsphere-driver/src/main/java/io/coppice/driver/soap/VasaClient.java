package io.coppice.driver.soap;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/// A VASA client with its own certificate, cookie and habits. Safe for several threads.
///
/// The operations stand in groups: [#registration], [#sessions], [#inventory], [#policies],
/// [#volumes], [#bindings], [#snapshots], [#tasks], [#events], [#statistics], [#replication]. Each
/// throws [VasaFault] for a fault, [UnreachableException] when no reply came, and
/// [IllegalStateException] for a reply that breaks the contract. Nothing is repeated, except after
/// `InvalidSession` where [#renewSessionWith] says how.
public final class VasaClient implements AutoCloseable {
  private static final String COOKIE = "VASASESSIONID";

  private final URI service;
  private final String caller;
  private final ClientOptions options;
  private final CallLog log;
  private final HttpClient http;
  private final ReentrantLock renewing = new ReentrantLock();
  private volatile @Nullable String session;
  private volatile @Nullable Runnable renewal;

  /// A reply as it came, for what is not an ordinary call.
  public record RawReply(int status, String contentType, String text) {}

  /// @param caller the name that the log shows
  /// @param tls who the client is and whom it trusts
  public VasaClient(
      URI service, String caller, SSLContext tls, ClientOptions options, CallLog log) {
    this.service = service;
    this.caller = caller;
    this.options = options;
    this.log = log;
    this.http =
        HttpClient.newBuilder()
            .sslContext(tls)
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
  }

  public RegistrationCalls registration() {
    return new RegistrationCalls(this::call);
  }

  public SessionCalls sessions() {
    return new SessionCalls(this::call);
  }

  public InventoryCalls inventory() {
    return new InventoryCalls(this::call);
  }

  public PolicyCalls policies() {
    return new PolicyCalls(this::call);
  }

  public VolumeCalls volumes() {
    return new VolumeCalls(this::call);
  }

  public BindingCalls bindings() {
    return new BindingCalls(this::call);
  }

  public SnapshotCalls snapshots() {
    return new SnapshotCalls(this::call);
  }

  public TaskCalls tasks() {
    return new TaskCalls(this::call);
  }

  public EventCalls events() {
    return new EventCalls(this::call);
  }

  public StatisticsCalls statistics() {
    return new StatisticsCalls(this::call);
  }

  public ReplicationCalls replication() {
    return new ReplicationCalls(this::call);
  }

  /// The session id that goes out as a cookie, null for none. A test may put any value here.
  public void useSession(@Nullable String id) {
    session = id;
  }

  public @Nullable String session() {
    return session;
  }

  /// What to do once when a call ends with `InvalidSession`, before it is repeated once.
  public void renewSessionWith(@Nullable Runnable action) {
    renewal = action;
  }

  /// Any operation with any arguments; null arguments are an empty body.
  ///
  /// Returns the children of the reply's wrapper element, nothing for an empty body.
  public Optional<Xml> call(String operation, @Nullable Consumer<XmlText> arguments) {
    String used = settledSession();
    try {
      return callOnce(operation, arguments, used);
    } catch (VasaFault fault) {
      Runnable action = renewal;
      if (action == null
          || !fault.is(VasaFault.INVALID_SESSION)
          || renewing.isHeldByCurrentThread()) {
        throw fault;
      }
      renew(used, action);
      return callOnce(operation, arguments, session);
    }
  }

  /// The session that is open: while another thread renews it, what it declares in the new one is
  /// waited for, too.
  private @Nullable String settledSession() {
    while (true) {
      String open = session;
      if (!renewing.isLocked() || renewing.isHeldByCurrentThread()) {
        return open;
      }
      renewing.lock();
      renewing.unlock();
    }
  }

  private void renew(@Nullable String failed, Runnable action) {
    renewing.lock();
    try {
      // Another thread may have renewed it while this one waited.
      if (failed == null || failed.equals(session)) {
        action.run();
      }
    } finally {
      renewing.unlock();
    }
  }

  private Optional<Xml> callOnce(
      String operation, @Nullable Consumer<XmlText> arguments, @Nullable String id) {
    String body = "";
    if (arguments != null) {
      body = new XmlText(options.absentAsNil()).element("ns:" + operation, arguments).toString();
    }
    String envelope = Message.envelope(options.soap12(), body);
    checkRequest(operation, envelope);
    byte[] bytes = Message.pack(options, "urn:" + operation, envelope);
    long start = System.nanoTime();
    HttpResponse<byte[]> response;
    try {
      response = send(request("urn:" + operation, bytes, id));
    } catch (IOException e) {
      log.add(new CallRecord(caller, operation, System.nanoTime() - start, CallRecord.UNREACHABLE));
      throw new UnreachableException(
          "%s at %s: %s".formatted(operation, service, e.getMessage()), e);
    }
    long nanos = System.nanoTime() - start;
    String outcome = "broken reply";
    try {
      Optional<Xml> reply = judge(operation, response);
      outcome = CallRecord.OK;
      return reply;
    } catch (VasaFault fault) {
      outcome = fault.name();
      throw fault;
    } finally {
      log.add(new CallRecord(caller, operation, nanos, outcome));
    }
  }

  private HttpRequest request(String action, byte[] bytes, @Nullable String id) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(service)
            .timeout(options.timeout())
            .header("Content-Type", Message.contentType(options, action))
            .POST(HttpRequest.BodyPublishers.ofByteArray(bytes));
    if (!options.soap12()) {
      builder.header("SOAPAction", "\"" + action + "\"");
    }
    if (id != null) {
      builder.header("Cookie", COOKIE + "=" + id);
    }
    return builder.build();
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private Optional<Xml> judge(String operation, HttpResponse<byte[]> response) {
    Element body = bodyOf(operation, response);
    List<Xml> children = Xml.of(body).all("*");
    if (children.size() > 1) {
      throw new IllegalStateException(
          "%s: expected one element in the body, got %s".formatted(operation, children));
    }
    if (children.isEmpty()) {
      requireStatus(operation, response, 200);
      return Optional.empty();
    }
    Xml child = children.getFirst();
    if (child.localName().equals("Fault")) {
      requireStatus(operation, response, 500);
      VasaFault fault = VasaFault.ofSoap(operation, child);
      if (fault.typed()) {
        check(
            operation + "'s fault",
            child.one("*[local-name()='detail' or local-name()='Detail']/*").element());
      }
      throw fault;
    }
    requireStatus(operation, response, 200);
    String expected = operation + "Response";
    if (!child.localName().equals(expected)
        || !Namespaces.SERVICE.equals(child.element().getNamespaceURI())) {
      throw new IllegalStateException(
          "%s: expected {%s}%s, got %s".formatted(operation, Namespaces.SERVICE, expected, child));
    }
    check(operation + "'s reply", child.element());
    takeCookie(operation, response, child);
    return Optional.of(child);
  }

  private Element bodyOf(String operation, HttpResponse<byte[]> response) {
    String type = response.headers().firstValue("Content-Type").orElse("");
    try {
      Document document = Message.read(type, response.body());
      String namespace = options.soap12() ? Namespaces.SOAP_12 : Namespaces.SOAP_11;
      Element envelope = document.getDocumentElement();
      if (!namespace.equals(envelope.getNamespaceURI())) {
        throw new IllegalStateException(
            "%s: expected an envelope of %s, got %s"
                .formatted(operation, namespace, envelope.getNamespaceURI()));
      }
      return Xml.of(envelope).one("*[local-name()='Body']").element();
    } catch (SAXException | IOException e) {
      throw new IllegalStateException(
          "%s: expected an envelope, got status %d, %d bytes of \"%s\""
              .formatted(operation, response.statusCode(), response.body().length, type),
          e);
    }
  }

  private static void requireStatus(String operation, HttpResponse<byte[]> response, int status) {
    if (response.statusCode() != status) {
      throw new IllegalStateException(
          "%s: expected HTTP %d, got %d".formatted(operation, status, response.statusCode()));
    }
  }

  /// Takes the session cookie of a reply and holds it against the id in the body.
  private void takeCookie(String operation, HttpResponse<byte[]> response, Xml reply) {
    if (!operation.equals("setContext")) {
      return;
    }
    String inBody = reply.text("ns:return/data:sessionId");
    String inCookie = null;
    for (String header : response.headers().allValues("Set-Cookie")) {
      if (header.startsWith(COOKIE + "=")) {
        inCookie = header.substring(COOKIE.length() + 1).split(";", 2)[0];
      }
    }
    if (inCookie == null || !inCookie.equals(inBody)) {
      throw new IllegalStateException(
          "setContext: expected one id in cookie and body, got %s and %s"
              .formatted(inCookie, inBody));
    }
    session = inCookie;
  }

  private void checkRequest(String operation, String envelope) {
    if (options.schemas() == null) {
      return;
    }
    try {
      byte[] bytes = envelope.getBytes(StandardCharsets.UTF_8);
      Xml body = Xml.of(Xml.parse(bytes).getDocumentElement()).one("*[local-name()='Body']");
      Xml child = body.find("*");
      if (child != null) {
        check(operation + "'s request", child.element());
      }
    } catch (SAXException | IOException e) {
      throw new IllegalArgumentException("expected arguments that are XML for " + operation, e);
    }
  }

  private void check(String what, Element element) {
    SchemaCheck schemas = options.schemas();
    if (schemas != null) {
      schemas.require(what, element);
    }
  }

  /// Posts any bytes with any headers to the service, for hostile input.
  public RawReply post(byte[] bytes, Map<String, String> headers) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(service)
            .timeout(options.timeout())
            .POST(HttpRequest.BodyPublishers.ofByteArray(bytes));
    headers.forEach(builder::header);
    return raw(builder.build());
  }

  /// Gets a document of the provider, for example version.xml.
  public RawReply get(URI uri) {
    return raw(HttpRequest.newBuilder(uri).timeout(options.timeout()).GET().build());
  }

  private RawReply raw(HttpRequest request) {
    try {
      HttpResponse<byte[]> response = send(request);
      return new RawReply(
          response.statusCode(),
          response.headers().firstValue("Content-Type").orElse(""),
          new String(response.body(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UnreachableException("%s: %s".formatted(request.uri(), e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}

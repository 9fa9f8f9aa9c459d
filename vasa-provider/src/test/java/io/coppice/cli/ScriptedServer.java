package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.coppice.cli.rest.Certificates;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A server with a certificate of its own that answers what a test tells it to, and keeps what it
/// was asked.
final class ScriptedServer implements AutoCloseable {

  /// What it answers.
  record Reply(int status, String body) {}

  /// What it was asked.
  record Asked(String call, String body, String token) {}

  private static final char[] PASSWORD = "a-password".toCharArray();
  private static final String ROOT = "/api/v1";

  final List<Asked> asked = new CopyOnWriteArrayList<>();
  final X509Certificate certificate;

  /// Replies that are given once, each before those of [#when].
  private final Map<String, Queue<Reply>> once = new ConcurrentHashMap<>();

  private final Map<String, Reply> replies = new ConcurrentHashMap<>();
  private final HttpsServer server;
  private final Set<Thread> before = clientThreads();

  ScriptedServer(Path folder) throws Exception {
    KeyStore keys = keys(folder);
    certificate = (X509Certificate) keys.getCertificate("mykey");
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext("/", this::answer);
    server.start();
  }

  /// @param call method and target beneath `/api/v1`, such as `GET /volumes?limit=1000`
  ScriptedServer when(String call, int status, String body) {
    replies.put(call, new Reply(status, body));
    return this;
  }

  /// The next reply to a call, once, with the status 200.
  ScriptedServer then(String call, String body) {
    once.computeIfAbsent(call, _ -> new ConcurrentLinkedQueue<>()).add(new Reply(200, body));
    return this;
  }

  String url() {
    return "https://127.0.0.1:" + server.getAddress().getPort();
  }

  Path pem(Path folder) throws IOException {
    return Files.writeString(folder.resolve("root.crt"), Certificates.pem(certificate));
  }

  /// Asserts that commands have left no thread of the HTTP client, and ends. Such a thread sits in
  /// a system call, and a JVM waits 300 ms for it at its end.
  @Override
  public void close() {
    server.stop(0);
    for (Thread thread : clientThreads()) {
      if (!before.contains(thread)) {
        joined(thread);
      }
    }
  }

  private static void joined(Thread thread) {
    try {
      assertThat(thread.join(Duration.ofSeconds(10))).as("%s has ended", thread).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Set<Thread> clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().matches("HttpClient-.*SelectorManager"))
        .collect(Collectors.toSet());
  }

  private static KeyStore keys(Path folder) throws Exception {
    Path file = folder.resolve("keys-" + System.nanoTime());
    String keytool = Path.of(System.getProperty("java.home"), "bin/keytool").toString();
    Process made =
        new ProcessBuilder(
                List.of(
                    keytool,
                    "-genkeypair",
                    "-alias",
                    "mykey",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=scripted",
                    "-ext",
                    "san=ip:127.0.0.1",
                    "-keystore",
                    file.toString(),
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    new String(PASSWORD)))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!made.waitFor(60, TimeUnit.SECONDS) || made.exitValue() != 0) {
      throw new IllegalStateException("keytool failed");
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String target = exchange.getRequestURI().toString();
    String call = exchange.getRequestMethod() + " " + target.substring(ROOT.length());
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    asked.add(new Asked(call, body, exchange.getRequestHeaders().getFirst("Authorization")));
    Reply next = once.getOrDefault(call, new ConcurrentLinkedQueue<>()).poll();
    Reply reply =
        next != null
            ? next
            : replies.getOrDefault(
                call,
                new Reply(
                    404,
                    "{\"status\": 404, \"code\": \"no-such-path\", \"title\": \"t\", \"detail\": \"no script for %s\"}"
                        .formatted(call)));
    byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}

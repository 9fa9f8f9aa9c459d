package io.coppice.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.coppice.cli.output.Surroundings;
import io.coppice.cli.rest.Certificates;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A run of usual commands against a server of its own, for the cache of classes that later starts
/// use (`docs/decisions/0040`). It knows no provider and leaves nothing.
final class Rehearsal {

  private static final char[] PASSWORD = "rehearsal".toCharArray();
  private static final String ID = "00000000-0000-4000-8000-000000000001";
  private static final String VOLUME =
      """
      {"id": "%s", "naa": "n", "name": "v", "type": "Other", "container": "%s", "size": 1048576,
       "mapped": 0, "unique": 0, "reserved": 0, "bound": false, "exported": false, "plain": true,
       "created": "2026-01-01T00:00:00Z", "metadata": {}, "quota": 1, "free": 1}"""
          .formatted(ID, ID);
  private static final String PROBLEM =
      """
      {"type": "t", "title": "t", "status": 404, "detail": "d", "code": "not-found"}""";

  private Rehearsal() {}

  /// @param args the folder of `keys.p12`, where files may be made; it has the keys `root` and
  ///   `server`, the certificate of the second one signed by the first one, as with a provider
  public static void main(String[] args) throws IOException, GeneralSecurityException {
    Path folder = Path.of(args[0]).toAbsolutePath();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(folder.resolve("keys.p12"))) {
      keys.load(in, PASSWORD);
    }
    Path root = folder.resolve("root.crt");
    Files.writeString(root, Certificates.pem((X509Certificate) keys.getCertificate("root")));
    Path token = Files.writeString(folder.resolve("token"), "rehearsal");
    HttpsServer server = server(keys);
    server.start();
    try {
      List<String> provider =
          List.of(
              "--url=https://127.0.0.1:" + server.getAddress().getPort(),
              "--token-file=" + token,
              "--ca=" + root);
      for (String command :
          List.of(
              "--help",
              "volume --help",
              "volume create --help",
              "volume list",
              "volume list -o json",
              "volume show " + ID,
              "volume create v --size 1G --container v",
              "volume create v --size 1G --container v --dry-run",
              "volume delete v -o yaml",
              "container list",
              "snapshot show missing -v")) {
        var words = new java.util.ArrayList<>(List.of(command.split(" ")));
        if (!command.endsWith("--help")) {
          words.addAll(provider);
        }
        Coppice.run(silent(folder), words.toArray(String[]::new));
      }
    } finally {
      server.stop(0);
    }
    System.exit(0); // threads of the HTTP client are left
  }

  private static Surroundings silent(Path folder) {
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return new Surroundings(
        Map.of(), folder, new ByteArrayInputStream(new byte[0]), nowhere, nowhere, false);
  }

  private static HttpsServer server(KeyStore keys) throws IOException, GeneralSecurityException {
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    own.setKeyEntry(
        "server", keys.getKey("server", PASSWORD), PASSWORD, keys.getCertificateChain("server"));
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(own, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext("/", Rehearsal::answer);
    return server;
  }

  private static void answer(HttpExchange exchange) throws IOException {
    boolean missing = exchange.getRequestURI().getPath().contains("missing");
    boolean list = exchange.getRequestMethod().equals("GET") && !isOne(exchange);
    String text = missing ? PROBLEM : list ? "{\"items\": [%s]}".formatted(VOLUME) : VOLUME;
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(missing ? 404 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static boolean isOne(HttpExchange exchange) {
    return exchange.getRequestURI().getPath().endsWith(ID);
  }
}

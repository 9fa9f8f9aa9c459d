package io.coppice.it;

import io.coppice.driver.pki.CertificateAuthority;
import io.coppice.driver.pki.Identity;
import io.coppice.driver.pki.Pem;
import io.coppice.driver.pki.ServerTrust;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/// Spring's authorization server, of the module `authorization-server`, as a process of its own
/// with TLS on a free port of the loopback address.
final class AuthorizationProcess implements AutoCloseable {

  static final String CLIENT = "coppice";
  static final String SECRET = "secret-of-coppice";

  private static final int START_SECONDS = 90;
  private static final int END_SECONDS = 30;

  private final Process process;
  private final Path folder;
  private final int port;
  private final SSLContext trust;

  private AuthorizationProcess(Process process, Path folder, int port, SSLContext trust) {
    this.process = process;
    this.folder = folder;
    this.port = port;
    this.trust = trust;
  }

  /// @param folder gets `ca.crt`, `client.secret` and the log
  /// @param callback where it may send browsers back to
  static AuthorizationProcess start(Path folder, URI callback)
      throws IOException, InterruptedException {
    CertificateAuthority authority = CertificateAuthority.create("authority of logins");
    Identity server = authority.issueServer("localhost", "127.0.0.1");
    Path certificate =
        Files.writeString(folder.resolve("as.crt"), Pem.encode(server.certificate()));
    Path key =
        Files.writeString(
            folder.resolve("as.key"), Pem.encode("PRIVATE KEY", server.key().getEncoded()));
    Files.writeString(folder.resolve("ca.crt"), authority.certificatePem());
    Files.writeString(folder.resolve("client.secret"), SECRET + "\n");
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Path built = Path.of(System.getProperty("authorization.server"));
    String client = "--spring.security.oauth2.authorizationserver.client.coppice.";
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            built.resolve("classes") + File.pathSeparator + built.resolve("lib") + "/*",
            "io.coppice.authorization.AuthorizationServer",
            "--server.address=127.0.0.1",
            "--server.port=" + port,
            "--server.ssl.certificate=file:" + certificate,
            "--server.ssl.certificate-private-key=file:" + key,
            "--spring.security.oauth2.authorizationserver.issuer=https://localhost:" + port,
            client + "registration.client-id=" + CLIENT,
            client + "registration.client-secret={noop}" + SECRET,
            client + "registration.client-authentication-methods=client_secret_basic",
            client + "registration.authorization-grant-types=authorization_code",
            client + "registration.redirect-uris=" + callback,
            client + "registration.scopes=openid,profile",
            client + "require-proof-key=true");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("authorization-server.log").toFile())
            .start();
    AuthorizationProcess started =
        new AuthorizationProcess(
            process,
            folder,
            port,
            ServerTrust.authorities(List.of(authority.certificate())).context(null));
    boolean ready = false;
    try {
      started.awaitReady();
      ready = true;
      return started;
    } finally {
      if (!ready) {
        started.close();
      }
    }
  }

  String issuer() {
    return "https://localhost:" + port;
  }

  String file(String name) {
    return folder.resolve(name).toString();
  }

  /// What a browser needs to trust the server.
  SSLContext trust() {
    return trust;
  }

  private void awaitReady() throws IOException, InterruptedException {
    URI page = URI.create(issuer() + "/.well-known/openid-configuration");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    try (HttpClient http = HttpClient.newBuilder().sslContext(trust).build()) {
      while (true) {
        try {
          HttpRequest request = HttpRequest.newBuilder(page).build();
          if (http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
            return;
          }
        } catch (IOException e) { // it does not listen yet
          if (!process.isAlive()) {
            throw new AssertionError("the authorization server ended: " + said(), e);
          }
        }
        if (System.nanoTime() > end) {
          throw new AssertionError("expected the authorization server to answer: " + said());
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  }

  private String said() throws IOException {
    return Files.readString(folder.resolve("authorization-server.log"));
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

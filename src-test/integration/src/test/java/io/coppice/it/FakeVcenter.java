package io.coppice.it;

import io.coppice.driver.pki.Identity;
import io.coppice.driver.pki.ServerTrust;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/// As much of a vCenter as can be seen without an account: a TLS port with its certificate, and the
/// time of its clock in every answer.
final class FakeVcenter implements AutoCloseable {

  private final SSLServerSocket server;
  private final Duration skew;

  /// @param skew how far its clock is ahead
  FakeVcenter(Identity identity, Duration skew) throws IOException {
    this.skew = skew;
    server =
        (SSLServerSocket)
            ServerTrust.serverContext(identity)
                .getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  /// `HOST:PORT`.
  String address() {
    return "localhost:" + server.getLocalPort();
  }

  private void serve() {
    while (!server.isClosed()) {
      try (SSLSocket client = (SSLSocket) server.accept()) {
        client.getInputStream().read(new byte[4096]);
        String date =
            DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.now().plus(skew).atOffset(ZoneOffset.UTC));
        client
            .getOutputStream()
            .write(
                "HTTP/1.1 200 OK\r\nDate: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .formatted(date)
                    .getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().flush();
      } catch (IOException e) {
        continue; // a client that went away, or the end
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}

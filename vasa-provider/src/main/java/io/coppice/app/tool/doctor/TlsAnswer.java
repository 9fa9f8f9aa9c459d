package io.coppice.app.tool.doctor;

import io.coppice.app.tls.AnyServerTrust;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// A TLS server's certificates from the handshake, and its answer to one request.
///
/// @param chain leaf first
/// @param answer head and body, at most 1 MiB; empty if it answered nothing
/// @param received when the answer had come
record TlsAnswer(List<X509Certificate> chain, String answer, Instant received) {

  private static final int TIMEOUT_MILLIS = 10_000;
  private static final int MOST_BYTES = 1 << 20;
  private static final int OK = 200;

  TlsAnswer {
    chain = List.copyOf(chain);
  }

  X509Certificate leaf() {
    return chain.getFirst();
  }

  /// Status of the answer; 0 if there was none.
  int status() {
    String[] words = answer.lines().findFirst().orElse("").split(" ");
    return words.length > 1 && words[1].matches("[0-9]{3}") ? Integer.parseInt(words[1]) : 0;
  }

  String body() {
    int end = answer.indexOf("\r\n\r\n");
    return end < 0 ? "" : answer.substring(end + 4);
  }

  /// The body of a success.
  ///
  /// @throws IOException if it is none
  String success() throws IOException {
    if (status() != OK) {
      throw new IOException("the provider answered %d".formatted(status()));
    }
    return body();
  }

  /// The time of the server's clock.
  Optional<Instant> date() {
    return answer
        .lines()
        .takeWhile(line -> !line.isEmpty())
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("date:"))
        .findFirst()
        .flatMap(
            line -> {
              try {
                String value = line.substring("date:".length()).strip();
                return Optional.of(
                    ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
              } catch (DateTimeParseException e) {
                return Optional.empty();
              }
            });
  }

  /// Asks without judging the certificate: the caller judges it.
  ///
  /// @throws IOException if it cannot be reached or the handshake fails
  static TlsAnswer ask(ServerAddress server, String method, String path, List<String> headers)
      throws IOException {
    try (var plain = new Socket()) {
      var address = new InetSocketAddress(server.name(), server.port());
      if (address.isUnresolved()) {
        throw new IOException("the name " + server.name() + " does not resolve");
      }
      plain.connect(address, TIMEOUT_MILLIS);
      plain.setSoTimeout(TIMEOUT_MILLIS);
      try (var socket =
          (SSLSocket)
              context()
                  .getSocketFactory()
                  .createSocket(plain, server.name(), server.port(), true)) {
        socket.startHandshake();
        List<X509Certificate> chain =
            Arrays.stream(socket.getSession().getPeerCertificates())
                .map(X509Certificate.class::cast)
                .toList();
        String answer = exchange(socket, request(server, method, path, headers));
        return new TlsAnswer(chain, answer, java.time.Clock.systemUTC().instant());
      }
    }
  }

  private static String request(
      ServerAddress server, String method, String path, List<String> headers) {
    var text = new StringBuilder();
    // HTTP 1.0 brings the body in one piece; HEAD has no body, and some proxies refuse 1.0.
    String version = method.equals("HEAD") ? "HTTP/1.1" : "HTTP/1.0";
    text.append("%s %s %s\r\nHost: %s\r\n".formatted(method, path, version, server));
    headers.forEach(header -> text.append(header).append("\r\n"));
    return text.append("Connection: close\r\n\r\n").toString();
  }

  private static String exchange(SSLSocket socket, String request) {
    var answer = new java.io.ByteArrayOutputStream();
    try {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      byte[] buffer = new byte[8192];
      int n = socket.getInputStream().read(buffer);
      while (n >= 0 && answer.size() < MOST_BYTES) {
        answer.write(buffer, 0, n);
        n = socket.getInputStream().read(buffer);
      }
    } catch (IOException e) {
      // The handshake was the answer that matters; keep what came of the other one.
      return answer.toString(StandardCharsets.UTF_8);
    }
    return answer.toString(StandardCharsets.UTF_8);
  }

  private static SSLContext context() throws IOException {
    try {
      return AnyServerTrust.context();
    } catch (GeneralSecurityException e) {
      throw new IOException("this JDK has no TLS: " + e.getMessage(), e);
    }
  }
}

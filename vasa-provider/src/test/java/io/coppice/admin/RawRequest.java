package io.coppice.admin;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/// Requests that the client of Java would not send.
final class RawRequest {

  private RawRequest() {}

  /// A GET with its path and query as they are.
  static AdminServer.Answer get(AdminServer server, String path) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(30_000);
      String head = head("GET", path) + "Connection: close\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int end = all.indexOf("\r\n\r\n");
      int status = Integer.parseInt(all.substring(9, 12));
      return new AdminServer.Answer(new Text(status, end < 0 ? "" : all.substring(end + 4)));
    }
  }

  /// A POST whose body ends in the midst of a chunk.
  static void brokenOff(AdminServer server, String path) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      String text =
          head("POST", path)
              + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{\r\n";
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    }
  }

  /// A PATCH with a body of which the second half comes after something else has happened.
  ///
  /// @param headers each with its line break
  /// @return the head and the body of the answer
  static String inTwoHalves(
      AdminServer server, String path, String headers, String body, Runnable between)
      throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(30_000);
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      String head =
          "PATCH /api/v1/%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n".formatted(path)
              + "Content-Type: application/json\r\nContent-Length: %d\r\n%s\r\n"
                  .formatted(bytes.length, headers);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(bytes, 0, 1);
      between.run();
      socket.getOutputStream().write(bytes, 1, bytes.length - 1);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String head(String method, String path) {
    return "%s /api/v1/%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
        .formatted(method, path, AdminServer.ADMIN);
  }

  private record Text(int statusCode, String body) implements HttpResponse<String> {

    @Override
    public HttpRequest request() {
      throw new IllegalStateException("sent without one");
    }

    @Override
    public Optional<HttpResponse<String>> previousResponse() {
      return Optional.empty();
    }

    @Override
    public HttpHeaders headers() {
      return HttpHeaders.of(Map.<String, List<String>>of(), (_, _) -> true);
    }

    @Override
    public Optional<SSLSession> sslSession() {
      return Optional.empty();
    }

    @Override
    public URI uri() {
      return URI.create("/");
    }

    @Override
    public HttpClient.Version version() {
      return HttpClient.Version.HTTP_1_1;
    }
  }
}

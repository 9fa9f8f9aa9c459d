package io.coppice.testcontainers;

import io.coppice.driver.pki.Pem;
import io.coppice.driver.pki.ServerTrust;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.ContainerState;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The management port of a running provider, as its administrator sees it.
///
/// @param address as clients on this machine reach it
/// @param root the authority that signs the provider's certificates
/// @param http a client that trusts this authority alone
record Management(URI address, X509Certificate root, HttpClient http) implements AutoCloseable {

  static final int PORT = 9443;

  private static final String HOME = "/var/lib/coppice/";
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
  private static final Duration CALL_LIMIT = Duration.ofSeconds(60);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /// @throws IOException if the provider has not got that far
  static Management of(ContainerState container) throws IOException {
    X509Certificate root = Pem.certificate(secret(container, "tls/root.crt"));
    URI address =
        URI.create("https://%s:%d".formatted(container.getHost(), container.getMappedPort(PORT)));
    HttpClient http =
        HttpClient.newBuilder()
            .sslContext(ServerTrust.authorities(List.of(root)).context(null))
            .connectTimeout(CONNECT_LIMIT)
            .build();
    return new Management(address, root, http);
  }

  /// A file of the provider's home, without the line feed at its end.
  ///
  /// @throws IOException if it is not there
  static String secret(ContainerState container, String file) throws IOException {
    try {
      ExecResult result = container.execInContainer("cat", HOME + file);
      if (result.getExitCode() != 0) {
        throw new IOException(
            "expected the provider to have %s, got: %s".formatted(file, result.getStderr()));
      }
      return result.getStdout().strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading " + file, e);
    }
  }

  /// Where the paths of the REST API begin.
  URI api() {
    return address.resolve("/api/v1/");
  }

  JsonNode get(String token, String path) {
    return send(request(token, path).GET().build());
  }

  JsonNode post(String token, String path, Object body) {
    return send(
        request(token, path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build());
  }

  private HttpRequest.Builder request(String token, String path) {
    return HttpRequest.newBuilder(api().resolve(path))
        .timeout(CALL_LIMIT)
        .header("Authorization", "Bearer " + token);
  }

  private JsonNode send(HttpRequest request) {
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new IllegalStateException(
            "expected success from %s %s, got %d: %s"
                .formatted(request.method(), request.uri(), answer.statusCode(), answer.body()));
      }
      return JSON.readTree(answer.body());
    } catch (IOException | JacksonException e) {
      throw new IllegalStateException(
          "expected an answer to %s %s, got %s".formatted(request.method(), request.uri(), e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in " + request.uri(), e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }
}

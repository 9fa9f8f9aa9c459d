package io.coppice.harness;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// An administrator's client of the REST API. Trusts whatever certificate the loopback address
/// shows: it talks to the process that it started itself.
public final class RestClient {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient http;
  private final URI base;
  private final String[] identity;

  /// @param token of an administrator
  public RestClient(URI management, String token) {
    this(management, "Authorization", "Bearer " + token);
  }

  /// @param identity headers that every request has, each followed by its value
  private RestClient(URI management, String... identity) {
    this.base = management.resolve("/api/v1/");
    this.identity = identity;
    this.http =
        HttpClient.newBuilder()
            .sslContext(trustingContext())
            .connectTimeout(Duration.ofSeconds(5))
            .build();
  }

  /// A person's client, in a session that this opens.
  ///
  /// @throws Mismatch if the login is refused
  public static RestClient login(URI management, String name, String password) {
    RestClient stranger = new RestClient(management);
    HttpResponse<String> opened =
        stranger.exchange(
            "POST",
            "session",
            "{\"name\": \"%s\", \"password\": \"%s\"}".formatted(name, password));
    String cookie = opened.headers().firstValue("Set-Cookie").orElse("").split(";", 2)[0];
    String csrf = JSON.readTree(opened.body()).get("csrf").asString();
    return new RestClient(management, "Cookie", cookie, "X-Coppice-CSRF", csrf);
  }

  public JsonNode get(String path) {
    return send("GET", path, null);
  }

  /// POST with an idempotency key of its own.
  public JsonNode post(String path, String body) {
    return send("POST", path, body);
  }

  public JsonNode put(String path, String body) {
    return send("PUT", path, body);
  }

  public JsonNode patch(String path, String body) {
    return send("PATCH", path, body);
  }

  public JsonNode delete(String path) {
    return send("DELETE", path, null);
  }

  /// The text of an answer that is not JSON, such as that of `/metrics`.
  ///
  /// @param path from the root of the server
  public String text(String path) {
    return exchange("GET", path, null).body();
  }

  private JsonNode send(
      String method, String path, @org.jspecify.annotations.Nullable String body) {
    String answer = exchange(method, path, body).body();
    return JSON.readTree(answer.isEmpty() ? "{}" : answer);
  }

  private HttpResponse<String> exchange(
      String method, String path, @org.jspecify.annotations.Nullable String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (identity.length > 0) { // a login takes neither
      request.headers(identity).header("Idempotency-Key", UUID.randomUUID().toString());
    }
    try {
      HttpResponse<String> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() / 100 != 2) {
        throw new Mismatch(
            "expected success from %s %s, got %d: %s"
                .formatted(method, path, response.statusCode(), response.body()));
      }
      return response;
    } catch (IOException e) {
      throw new Mismatch("%s %s: %s".formatted(method, path, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Mismatch("interrupted in %s %s".formatted(method, path), e);
    }
  }

  private static SSLContext trustingContext() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustAnyone()}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  /// Accepts every certificate, without looking at the host name either.
  private static final class TrustAnyone extends X509ExtendedTrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(
        X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public void checkServerTrusted(
        X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}

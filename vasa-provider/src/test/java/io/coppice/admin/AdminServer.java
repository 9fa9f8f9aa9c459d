package io.coppice.admin;

import com.zaxxer.hikari.HikariDataSource;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.CountedDatabase;
import io.coppice.vasa.testing.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The REST API on an ephemeral port, over services with a pool in memory and a fresh database.
final class AdminServer implements AutoCloseable {

  static final String ADMIN = "a-token-for-tests";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  final ControlPlane control;
  final BrittleDatabase database;
  final CountedDatabase counted;

  private final HikariDataSource connections = new HikariDataSource();

  private final ConfigurableApplicationContext context;
  private final HttpClient http = HttpClient.newHttpClient();
  private final URI base;
  private final int port;
  private final ContractCheck contract;

  /// @param arguments of Spring, beside those that it needs to run at all
  AdminServer(String... arguments) {
    connections.setDataSource(TestDatabase.fresh());
    connections.setMaximumPoolSize(8); // a connection for each statement soon makes too many
    counted = new CountedDatabase(connections);
    database = new BrittleDatabase(counted);
    control = new ControlPlane(database);
    context =
        new SpringApplicationBuilder(AdminApplication.class)
            .initializers(
                context -> context.getBeanFactory().registerSingleton("controlPlane", control))
            .run(
                Stream.concat(
                        Stream.of(
                            "--server.port=0",
                            "--server.address=127.0.0.1",
                            "--server.ssl.enabled=false",
                            "--spring.flyway.enabled=false"),
                        Stream.of(arguments))
                    .toArray(String[]::new));
    port = Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
    base = URI.create("http://127.0.0.1:%d/api/v1/".formatted(port));
    contract = new ContractCheck(send(ADMIN, "GET", base.resolve("openapi"), null).json());
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  <T> T bean(String name, Class<T> type) {
    return context.getBean(name, type);
  }

  int port() {
    return port;
  }

  /// The id of the newest event.
  long newestEvent() {
    return get("events?limit=1").number("/items/0/id");
  }

  /// What came back.
  record Answer(HttpResponse<String> http) {

    int status() {
      return http.statusCode();
    }

    JsonNode json() {
      return JSON.readTree(http.body());
    }

    /// The text at a path such as `/items/0/id`.
    String text(String pointer) {
      return json().at(pointer).asString();
    }

    long number(String pointer) {
      return json().at(pointer).asLong();
    }

    String header(String name) {
      return http.headers().firstValue(name).orElse("");
    }

    @Override
    public String toString() {
      return http.statusCode() + " " + http.body();
    }
  }

  Answer get(String path) {
    return call("GET", path, null);
  }

  Answer post(String path, String body) {
    return call("POST", path, body);
  }

  Answer patch(String path, String body) {
    return call("PATCH", path, body);
  }

  Answer put(String path, String body) {
    return call("PUT", path, body);
  }

  Answer delete(String path) {
    return call("DELETE", path, null);
  }

  Answer call(String method, String path, String body, String... headers) {
    return callAs(ADMIN, method, path, body, headers);
  }

  /// Calls an operation and holds the answer against the description of the API.
  ///
  /// @param token empty for none
  Answer callAs(String token, String method, String path, String body, String... headers) {
    URI uri = base.resolve(path);
    Answer answer = send(token, method, uri, body, headers);
    contract.check(method, uri.getRawPath(), answer);
    return answer;
  }

  /// Asks for metrics, which the description of the API does not know.
  ///
  /// @param token empty for none
  Answer metrics(String token, String path, String... headers) {
    return send(token, "GET", base.resolve("/" + path), null, headers);
  }

  /// As [#metrics], as it comes.
  HttpResponse<InputStream> raw(String token, String path, String... headers) {
    return send(
        token,
        "GET",
        base.resolve("/" + path),
        null,
        HttpResponse.BodyHandlers.ofInputStream(),
        headers);
  }

  private Answer send(String token, String method, URI uri, String body, String... headers) {
    return new Answer(
        send(token, method, uri, body, HttpResponse.BodyHandlers.ofString(), headers));
  }

  /// Opens an answer that does not end by itself.
  HttpResponse<InputStream> open(String token, String path, String... headers) {
    return send(
        token, "GET", base.resolve(path), null, HttpResponse.BodyHandlers.ofInputStream(), headers);
  }

  private <T> HttpResponse<T> send(
      String token,
      String method,
      URI uri,
      String body,
      HttpResponse.BodyHandler<T> handler,
      String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .setHeader("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    try {
      return http.send(request.build(), handler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// Makes a container of 100 GiB.
  ///
  /// @return its id
  String container(String name) {
    return made(
        post(
            "containers",
            "{\"name\": \"%s\", \"quota\": %d}".formatted(name, 100 * ControlPlane.GIB)));
  }

  /// Makes a plain volume of 1 GiB.
  ///
  /// @return its id
  String volume(String container, String name) {
    return made(
        post(
            "volumes",
            "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"}"
                .formatted(name, ControlPlane.GIB, container)));
  }

  /// Makes a token of a role.
  ///
  /// @return its text
  String token(String role) {
    Answer answer =
        post(
            "tokens",
            "{\"name\": \"%s\", \"role\": \"%s\", \"expiresInDays\": 1}"
                .formatted(UUID.randomUUID(), role));
    return Optional.of(answer.text("/token")).filter(text -> !text.isEmpty()).orElseThrow();
  }

  static String made(Answer answer) {
    if (answer.status() != 201) {
      throw new AssertionError("expected 201, got " + answer);
    }
    return answer.text("/id");
  }

  /// All texts at a pointer in the items of a list.
  static List<String> texts(Answer list, String pointer) {
    return list.json().get("items").valueStream().map(item -> item.at(pointer).asString()).toList();
  }

  @Override
  public void close() {
    context.close();
    connections.close();
  }
}

package io.coppice.cli.rest;

import io.coppice.api.Problem;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.SafeText;
import io.coppice.cli.profile.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/// The connection to a provider's REST API. For one thread.
public final class RestConnection implements AutoCloseable {

  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(100);
  private static final Duration LONGEST_END = Duration.ofMillis(100);

  private final Provider provider;
  private final String token;
  private final PinnedTrust trust;
  private final HttpClient http;

  /// Prepares the connection; nothing is sent yet.
  ///
  /// @throws CommandFailedException if token or certificate cannot be read
  public RestConnection(Provider provider) {
    this.provider = provider;
    token = provider.token().token();
    trust = new PinnedTrust(provider.root() == null ? null : Certificates.read(provider.root()));
    http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LONGEST_CONNECT)
            .sslContext(PinnedTrust.context(trust))
            .build();
  }

  /// The body of the answer; a null node for an empty one.
  ///
  /// @throws CommandFailedException if the answer is no success, or there is none
  public JsonNode send(RestCall call) {
    return read(call).body();
  }

  /// The answer with its tag.
  ///
  /// @throws CommandFailedException as [#send]
  public Tagged read(RestCall call) {
    HttpResponse<byte[]> answer =
        exchange(
            request(call).timeout(LONGEST_ANSWER).build(), HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() / 100 != 2) {
      throw refused(call, answer.statusCode(), answer.body());
    }
    String tag = answer.headers().firstValue("ETag").orElse(null);
    if (answer.body().length == 0) {
      return new Tagged(NullNode.getInstance(), tag);
    }
    try {
      return new Tagged(Notation.read(answer.body()), tag);
    } catch (JacksonException e) {
      throw new CommandFailedException(
          ExitStatus.SERVER_ERROR,
          "expected JSON from %s, got something else".formatted(provider.url()));
    }
  }

  /// A stream of events, or nothing if the server has no such stream. Close it after use.
  ///
  /// @param lastId id of the last event that is known
  /// @throws CommandFailedException if the answer is another failure, or there is none
  public Optional<InputStream> stream(RestCall call, long lastId) {
    HttpRequest request =
        request(call)
            .setHeader("Accept", "text/event-stream")
            .header("Last-Event-ID", Long.toString(lastId))
            .build();
    HttpResponse<InputStream> answer = exchange(request, HttpResponse.BodyHandlers.ofInputStream());
    if (answer.statusCode() == 200) {
      return Optional.of(answer.body());
    }
    try (InputStream body = answer.body()) {
      if (answer.statusCode() == 404) {
        return Optional.empty();
      }
      throw refused(call, answer.statusCode(), body.readNBytes(1 << 16));
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /// Drops what is open. The JVM's end would otherwise wait 300 ms for the client's thread, which
  /// sits in a system call.
  @Override
  public void close() {
    http.shutdownNow();
    try {
      http.awaitTermination(LONGEST_END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpRequest.Builder request(RestCall call) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(provider.url() + call.target()))
            .header("Authorization", "Bearer " + token)
            .header("Accept", "application/json");
    if (call.tag() != null) {
      setTag(request, call.tag());
    }
    String body = call.body();
    if (body == null) {
      return request.method(call.method(), HttpRequest.BodyPublishers.noBody());
    }
    return request
        .header("Content-Type", "application/json")
        .method(call.method(), HttpRequest.BodyPublishers.ofString(body));
  }

  private static void setTag(HttpRequest.Builder request, String tag) {
    try {
      request.header("If-Match", tag);
    } catch (IllegalArgumentException e) {
      throw CommandFailedException.usage("expected a tag of printable characters, got '%s'", tag);
    }
  }

  private <T> HttpResponse<T> exchange(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    try {
      return http.send(request, handler);
    } catch (SSLException e) {
      throw untrusted(e);
    } catch (IOException e) {
      throw unreachable(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailedException(ExitStatus.UNREACHABLE, "interrupted");
    }
  }

  private static CommandFailedException refused(RestCall call, int status, byte[] body) {
    try {
      Problem problem = Notation.as(Notation.read(body), Problem.class);
      String code = problem.code() == null ? "" : problem.code();
      String detail = problem.detail() == null ? problem.title() : problem.detail();
      return new CommandFailedException(
          ExitStatus.of(status, code),
          String.valueOf(detail),
          "%s %s: status %d, code %s, target %s, trace id %s"
              .formatted(
                  call.method(), call.target(), status, code, problem.target(), problem.traceId()));
    } catch (JacksonException e) {
      return new CommandFailedException(
          ExitStatus.of(status, ""),
          "expected a problem as JSON, got status %d with something else".formatted(status));
    }
  }

  private CommandFailedException unreachable(IOException e) {
    String reason = e.getMessage();
    return new CommandFailedException(
        ExitStatus.UNREACHABLE,
        "%s does not answer: %s"
            .formatted(
                provider.url(),
                reason == null || reason.isEmpty() ? e.getClass().getSimpleName() : reason),
        e.toString());
  }

  private CommandFailedException untrusted(SSLException e) {
    List<X509Certificate> sent = trust.sent();
    if (sent.isEmpty()) {
      return unreachable(e);
    }
    X509Certificate last = sent.getLast();
    String pinned =
        provider.root() == null
            ? "one that a root of this JDK has signed"
            : "one that the pinned root %s has signed"
                .formatted(Certificates.fingerprint(Certificates.read(provider.root())));
    return new CommandFailedException(
        ExitStatus.UNREACHABLE,
        "the certificate of %s is not trusted: expected %s, got a chain that ends with %s (%s): %s"
            .formatted(
                provider.url(),
                pinned,
                Certificates.fingerprint(last),
                SafeText.of(last.getSubjectX500Principal().getName()),
                reason(e)),
        e.toString());
  }

  private static String reason(Throwable e) {
    Throwable deepest = e;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return SafeText.of(String.valueOf(deepest.getMessage()));
  }
}

package io.coppice.admin.openid;

import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import io.coppice.admin.outside.BoundedCalls;
import io.coppice.admin.outside.TrustFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The calls to the authorization server. Each ends in time, takes no more bytes than the settings
/// allow, and follows no redirect.
final class IssuerCalls {

  private static final int LONGEST_REASON = 200;

  private final OpenIdSettings settings;
  private final HttpClient http;
  private final BoundedCalls calls;

  /// @throws IOException if the authorities cannot be read
  IssuerCalls(OpenIdSettings settings) throws IOException {
    this.settings = settings;
    this.calls = new BoundedCalls("openid", settings.limits().calls(), settings.limits().call());
    this.http =
        HttpClient.newBuilder()
            .sslContext(new TrustFile(OpenIdSettings.KEY + "ca", settings.ca()).context())
            .connectTimeout(settings.limits().call())
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
  }

  /// Calls under way, those included that are being ended.
  int underWay() {
    return calls.underWay();
  }

  /// The text at an address, which must be answered with 200.
  String text(URI address) throws OpenIdException {
    HttpResponse<String> answer =
        send(HttpRequest.newBuilder(address).header("Accept", "application/json").build());
    if (answer.statusCode() != 200) {
      throw failure("answered %d at %s".formatted(answer.statusCode(), address), null);
    }
    return answer.body();
  }

  /// The answer to a request of the protocol.
  HTTPResponse answer(HTTPRequest request) throws OpenIdException {
    HttpRequest.Builder sent =
        HttpRequest.newBuilder(request.getURI())
            .POST(HttpRequest.BodyPublishers.ofString(String.valueOf(request.getBody())));
    request.getHeaderMap().forEach((name, values) -> add(sent, name, values));
    HttpResponse<String> got = send(sent.build());
    HTTPResponse answer = new HTTPResponse(got.statusCode());
    try {
      answer.setContentType(got.headers().firstValue("Content-Type").orElse("text/plain"));
    } catch (ParseException e) {
      throw failure("sent an answer of no known type from " + request.getURI(), e);
    }
    answer.setBody(got.body());
    return answer;
  }

  private static void add(HttpRequest.Builder request, String name, Iterable<String> values) {
    values.forEach(value -> request.header(name, value));
  }

  private HttpResponse<String> send(HttpRequest request) throws OpenIdException {
    requireScheme(request.uri());
    try {
      return calls.call(
          () ->
              http.send(
                  request,
                  HttpResponse.BodyHandlers.limiting(
                      HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8),
                      settings.limits().answer().toBytes())));
    } catch (BoundedCalls.OverdueException e) {
      throw failure("did not answer at %s: %s".formatted(request.uri(), e.getMessage()), e);
    } catch (ExecutionException e) {
      throw failure(words(request.uri(), e.getCause()), e.getCause());
    }
  }

  /// The addresses come from the server. None of them may leave TLS.
  private void requireScheme(URI address) throws OpenIdException {
    boolean safe =
        "https".equals(address.getScheme())
            || settings.unencrypted() && "http".equals(address.getScheme());
    if (!safe || address.getHost() == null) {
      throw failure("names an address without https: " + address, null);
    }
  }

  private static String words(URI address, @Nullable Throwable cause) {
    String reason = cause == null ? "" : String.valueOf(cause.getMessage());
    String line = reason.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    String cut = line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON);
    return cause instanceof SSLException
        ? "made no TLS connection that can be trusted at %s: %s".formatted(address, cut)
        : "could not be asked at %s: %s"
            .formatted(address, cut.equals("null") ? String.valueOf(cause) : cut);
  }

  private OpenIdException failure(String what, @Nullable Throwable cause) {
    return OpenIdException.issuer(settings.issuer(), what, cause);
  }
}

package io.coppice.it;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/// A browser with cookies that fills in the login form of an authorization server.
final class BrowserAtLogin implements AutoCloseable {

  private static final int MOST_REDIRECTS = 10;
  private static final Pattern CSRF = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

  private final HttpClient http;

  BrowserAtLogin(SSLContext trust) {
    http =
        HttpClient.newBuilder()
            .sslContext(trust)
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /// Goes to an address and follows redirects until a page comes, or one leads to `callback`.
  ///
  /// @return the callback with its parameters, or the page's own address
  URI logIn(URI start, String name, String password, URI callback)
      throws IOException, InterruptedException {
    HttpResponse<String> page = follow(get(start), callback);
    if (isFor(callback, page)) {
      return target(page);
    }
    Matcher csrf = CSRF.matcher(page.body());
    if (!csrf.find()) {
      throw new AssertionError("expected a login form, got " + page + ": " + page.body());
    }
    String form =
        "username=%s&password=%s&_csrf=%s"
            .formatted(encoded(name), encoded(password), encoded(csrf.group(1)));
    HttpRequest request =
        HttpRequest.newBuilder(page.uri().resolve("/login"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build();
    HttpResponse<String> end = follow(send(request), callback);
    return isFor(callback, end) ? target(end) : end.uri();
  }

  private HttpResponse<String> follow(HttpResponse<String> first, URI callback)
      throws IOException, InterruptedException {
    HttpResponse<String> at = first;
    for (int i = 0; i < MOST_REDIRECTS; i++) {
      if (at.statusCode() / 100 != 3 || isFor(callback, at)) {
        return at;
      }
      at = get(target(at));
    }
    throw new AssertionError("more than %d redirects".formatted(MOST_REDIRECTS));
  }

  private static boolean isFor(URI callback, HttpResponse<String> page) {
    return page.statusCode() / 100 == 3 && target(page).toString().startsWith(callback + "?");
  }

  private static URI target(HttpResponse<String> redirect) {
    return redirect.uri().resolve(redirect.headers().firstValue("Location").orElseThrow());
  }

  /// Sends JSON to an address.
  HttpResponse<String> post(URI address, String json) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build());
  }

  /// The answer of an address, without following redirects.
  HttpResponse<String> get(URI address) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(address).header("Accept", "text/html,*/*;q=0.8").build());
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /// The parameters of an address.
  static Map<String, List<String>> parameters(URI address) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String pair : address.getRawQuery().split("&", -1)) {
      String[] parts = pair.split("=", 2);
      parameters.put(parts[0], List.of(URLDecoder.decode(parts[1], StandardCharsets.UTF_8)));
    }
    return parameters;
  }

  @Override
  public void close() {
    http.close();
  }
}

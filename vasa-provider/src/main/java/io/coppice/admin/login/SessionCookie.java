package io.coppice.admin.login;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/// The cookie of a session. By the beginning of its name browsers make sure that it came from this
/// host alone, over TLS, for all paths (RFC 6265bis §4.1.3.2, The `__Host-` Prefix).
final class SessionCookie {

  static final String NAME = "__Host-coppice-session";

  private static final String OPENED = SessionCookie.class.getName();

  private SessionCookie() {}

  /// The text of a request's cookie, or of the one that its answer sets; empty if there is none.
  static Optional<String> find(HttpServletRequest request) {
    if (request.getAttribute(OPENED) instanceof String opened) {
      return Optional.of(opened);
    }
    return Optional.ofNullable(request.getCookies())
        .map(Arrays::stream)
        .orElse(Stream.empty())
        .filter(cookie -> cookie.getName().equals(NAME))
        .map(Cookie::getValue)
        .findFirst();
  }

  static void set(HttpServletRequest request, HttpServletResponse response, String text) {
    request.setAttribute(OPENED, text);
    response.addHeader(HttpHeaders.SET_COOKIE, cookie(text).build().toString());
  }

  static void clear(HttpServletResponse response) {
    response.addHeader(HttpHeaders.SET_COOKIE, cookie("").maxAge(Duration.ZERO).build().toString());
  }

  private static ResponseCookie.ResponseCookieBuilder cookie(String text) {
    return ResponseCookie.from(NAME, text).path("/").secure(true).httpOnly(true).sameSite("Strict");
  }
}

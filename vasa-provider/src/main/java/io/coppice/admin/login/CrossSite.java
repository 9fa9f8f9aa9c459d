package io.coppice.admin.login;

import io.coppice.admin.access.AdminToken;
import io.coppice.admin.problem.RequestRejectedException;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/// The checks against pages of others that make a browser send its cookie here.
public final class CrossSite {

  /// The header that a change must have beside the cookie.
  public static final String HEADER = "X-Coppice-CSRF";

  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private CrossSite() {}

  /// The token of a session, which its own pages know and others cannot read. It follows from the
  /// text of the cookie, so it is kept nowhere and lives as long.
  static String token(String cookie) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(
            AdminToken.digest().digest(("csrf " + cookie).getBytes(StandardCharsets.UTF_8)));
  }

  /// @throws RequestRejectedException (403) if a page of another origin sent the request
  public static void requireOwnOrigin(HttpServletRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    if (origin != null && !isOwn(origin, request)) {
      throw foreign("expected the Origin of this server, got '%s'".formatted(origin));
    }
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null && !OWN_SITES.contains(site)) {
      throw foreign("expected Sec-Fetch-Site same-origin or none, got '%s'".formatted(site));
    }
  }

  /// Whether an origin is that of this server, as the browser names the server. A proxy that ends
  /// TLS may make of `https` `http`, but not the other way around.
  private static boolean isOwn(String origin, HttpServletRequest request) {
    @Nullable String host = request.getHeader(HttpHeaders.HOST);
    return host != null
        && (origin.equalsIgnoreCase("https://" + host)
            || origin.equalsIgnoreCase(request.getScheme() + "://" + host));
  }

  /// @throws RequestRejectedException (403) if a request with a session came from a page of another
  ///   origin, or is a change without the session's token
  static void check(HttpServletRequest request, String cookie) {
    requireOwnOrigin(request);
    if (READING.contains(request.getMethod())) {
      return;
    }
    String sent = request.getHeader(HEADER);
    if (sent == null || !isSame(sent, token(cookie))) {
      throw new RequestRejectedException(
          HttpStatus.FORBIDDEN,
          "csrf",
          HEADER,
          "expected the header %s with the token of the session, got %s"
              .formatted(HEADER, sent == null ? "none" : "another one"));
    }
  }

  private static boolean isSame(String a, String b) {
    return MessageDigest.isEqual(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  private static RequestRejectedException foreign(String message) {
    return new RequestRejectedException(HttpStatus.FORBIDDEN, "foreign-origin", null, message);
  }
}

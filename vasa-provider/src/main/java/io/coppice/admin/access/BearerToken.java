package io.coppice.admin.access;

import io.coppice.admin.problem.RequestRejectedException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/// The token in the header of a request (RFC 6750 §2.1, Authorization Request Header Field).
public final class BearerToken {

  private static final String BEARER = "Bearer ";

  private BearerToken() {}

  /// Its text; empty if the request has none.
  public static Optional<String> find(HttpServletRequest request) {
    return Optional.ofNullable(request.getHeader(HttpHeaders.AUTHORIZATION))
        .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .map(header -> header.substring(BEARER.length()).strip());
  }

  /// @throws RequestRejectedException (401) if the request has none
  public static String require(HttpServletRequest request) {
    return find(request)
        .orElseThrow(() -> refusal("expected the header Authorization: Bearer TOKEN, got none"));
  }

  /// The refusal of a token that no caller has.
  public static RequestRejectedException unknown() {
    return refusal("expected a valid token, got an unknown or expired one");
  }

  /// A refusal (401) of a request without a valid token.
  public static RequestRejectedException refusal(String message) {
    return new RequestRejectedException(HttpStatus.UNAUTHORIZED, "unauthorized", null, message);
  }
}

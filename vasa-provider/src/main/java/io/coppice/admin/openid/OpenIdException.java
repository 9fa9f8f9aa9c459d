package io.coppice.admin.openid;

import org.jspecify.annotations.Nullable;

/// A login by OpenID Connect that did not come to its end.
public final class OpenIdException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Kind kind;

  private OpenIdException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /// The one who failed.
  enum Kind {
    /// The authorization server: it cannot be reached, or what it sent is wrong.
    ISSUER,
    /// The authorization server says no.
    REFUSED,
    /// The browser: it brought an answer that nobody waits for.
    UNKNOWN
  }

  /// @param what about the server, such as `did not answer`
  static OpenIdException issuer(String issuer, String what, @Nullable Throwable cause) {
    return new OpenIdException(
        Kind.ISSUER, "the authorization server %s %s".formatted(issuer, what), cause);
  }

  static OpenIdException refused(String message) {
    return new OpenIdException(Kind.REFUSED, message, null);
  }

  static OpenIdException unknown(String message) {
    return new OpenIdException(Kind.UNKNOWN, message, null);
  }

  Kind kind() {
    return kind;
  }
}

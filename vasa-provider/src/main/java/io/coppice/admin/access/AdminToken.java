package io.coppice.admin.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The token that the first start writes to `admin.token`. It has the role `admin` and works
/// without the database.
public final class AdminToken {

  private final byte[] hash;

  private AdminToken(byte[] hash) {
    this.hash = hash;
  }

  /// @param token its text, without white space around it
  public static AdminToken of(String token) {
    if (token.isBlank()) {
      throw new IllegalArgumentException("expected a token in admin.token, got an empty file");
    }
    return new AdminToken(sha256(token));
  }

  boolean is(String token) {
    return MessageDigest.isEqual(hash, sha256(token));
  }

  /// The SHA-256 of a text.
  public static byte[] sha256(String text) {
    return digest().digest(text.getBytes(StandardCharsets.UTF_8));
  }

  /// A new SHA-256.
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

package io.coppice.vasa.audit;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The key of the chain. Hashes are HMAC-SHA-256 (RFC 2104), so whoever can write the database, but
/// not read the key's file, cannot make a chain that verifies. Safe for any thread.
public final class AuditKey {

  /// Length of a key.
  public static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int ID_BYTES = 8;

  private final SecretKeySpec key;
  private final String id;

  private AuditKey(SecretKeySpec key, String id) {
    this.key = key;
    this.id = id;
  }

  /// @param bytes [#BYTES] of them; copied
  public static AuditKey of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "expected a key of %d bytes, got %d".formatted(BYTES, bytes.length));
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update("coppice-audit-key".getBytes(StandardCharsets.US_ASCII));
      byte[] name = Arrays.copyOf(digest.digest(bytes), ID_BYTES);
      return new AuditKey(new SecretKeySpec(bytes, ALGORITHM), HexFormat.of().formatHex(name));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  /// A name of the key that reveals nothing of it: 16 hex digits.
  public String id() {
    return id;
  }

  /// The hash of an entry.
  ChainHash hash(long seq, ChainHash previous, AuditRecord recorded) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return ChainHash.of(mac.doFinal(AuditEncoding.hashed(seq, id, previous, recorded)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no HMAC-SHA-256", e);
    }
  }

  /// The next entry of a chain.
  AuditEntry seal(ChainHead head, AuditRecord recorded) {
    long seq = head.seq() + 1;
    return new AuditEntry(seq, id, recorded, head.hash(), hash(seq, head.hash(), recorded));
  }

  /// Never the key.
  @Override
  public String toString() {
    return "AuditKey[" + id + "]";
  }
}

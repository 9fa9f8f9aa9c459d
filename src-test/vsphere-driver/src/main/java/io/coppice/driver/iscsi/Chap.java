package io.coppice.driver.iscsi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// CHAP credentials, RFC 1994 and RFC 7143 §12.1.3.
///
/// `algorithms` are offered in order. With a `mutualSecret` the target has to prove itself too.
public record Chap(
    String user, String secret, List<Algorithm> algorithms, @Nullable String mutualSecret) {
  /// A digest by its number on the wire.
  public enum Algorithm {
    MD5(5, "MD5"),
    SHA_256(7, "SHA-256"),
    SHA3_256(8, "SHA3-256");

    private final int number;
    private final String digest;

    Algorithm(int number, String digest) {
      this.number = number;
      this.digest = digest;
    }

    int number() {
      return number;
    }

    byte[] response(int identifier, String secret, byte[] challenge) {
      try {
        MessageDigest md = MessageDigest.getInstance(digest);
        md.update((byte) identifier);
        md.update(secret.getBytes(StandardCharsets.UTF_8));
        return md.digest(challenge);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("the JDK has no " + digest, e);
      }
    }

    static Algorithm of(String number) {
      for (Algorithm a : values()) {
        if (Integer.toString(a.number).equals(number)) {
          return a;
        }
      }
      throw new IscsiProtocolException("expected CHAP_A 5, 7 or 8, got \"" + number + "\"");
    }
  }

  public Chap {
    algorithms = List.copyOf(algorithms);
    if (algorithms.isEmpty()) {
      throw new IllegalArgumentException("expected at least one CHAP algorithm, got none");
    }
  }

  /// One-way CHAP with MD5, as ESXi does it.
  public static Chap md5(String user, String secret) {
    return new Chap(user, secret, List.of(Algorithm.MD5), null);
  }

  /// One-way CHAP with SHA-256.
  public static Chap sha256(String user, String secret) {
    return new Chap(user, secret, List.of(Algorithm.SHA_256), null);
  }

  /// These credentials, and the target has to prove that it knows `targetSecret`.
  public Chap mutual(String targetSecret) {
    return new Chap(user, secret, algorithms, targetSecret);
  }

  @Override
  public String toString() {
    return "Chap[" + user + ", " + algorithms + "]";
  }

  /// A large binary value, `0x…` or `0b…`, RFC 7143 §6.1.
  static byte[] binary(String text) {
    try {
      if (text.startsWith("0x") || text.startsWith("0X")) {
        String hex = text.substring(2);
        return HexFormat.of().parseHex(hex.length() % 2 == 0 ? hex : "0" + hex);
      }
      if (text.startsWith("0b") || text.startsWith("0B")) {
        return Base64.getDecoder().decode(text.substring(2));
      }
    } catch (IllegalArgumentException e) {
      throw new IscsiProtocolException("expected a binary value, got \"" + text + "\"");
    }
    throw new IscsiProtocolException("expected a value 0x… or 0b…, got \"" + text + "\"");
  }

  static String hex(byte[] bytes) {
    return "0x" + HexFormat.of().formatHex(bytes);
  }
}

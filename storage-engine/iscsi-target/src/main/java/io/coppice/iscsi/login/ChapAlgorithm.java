package io.coppice.iscsi.login;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/// The hash functions of CHAP and their numbers (RFC 7143 §12.1.3, IANA "PPP Authentication
/// Algorithms").
enum ChapAlgorithm {
  MD5(5, "MD5"),
  SHA_256(7, "SHA-256"),
  SHA3_256(8, "SHA3-256");

  private final int number;
  private final String digest;

  ChapAlgorithm(int number, String digest) {
    this.number = number;
    this.digest = digest;
  }

  /// The first of a list such as `7,5` that is known here: the list is in the initiator's order.
  static Optional<ChapAlgorithm> choose(String list) {
    for (String item : list.split(",", 16)) {
      for (ChapAlgorithm algorithm : values()) {
        if (BinaryValue.number(item) == algorithm.number) {
          return Optional.of(algorithm);
        }
      }
    }
    return Optional.empty();
  }

  int number() {
    return number;
  }

  /// The response to a challenge (RFC 1994 §4.1).
  byte[] response(int identifier, String secret, byte[] challenge) {
    MessageDigest hash = newDigest();
    hash.update((byte) identifier);
    hash.update(secret.getBytes(StandardCharsets.UTF_8));
    return hash.digest(challenge);
  }

  private MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime lacks " + digest, e);
    }
  }
}

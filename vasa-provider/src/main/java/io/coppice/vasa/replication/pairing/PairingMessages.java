package io.coppice.vasa.replication.pairing;

import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The two messages of a pairing.
public final class PairingMessages {

  private static final int LONGEST = 8 << 10;

  private PairingMessages() {}

  private static boolean areTexts(@Nullable String... texts) {
    return Arrays.stream(texts).allMatch(text -> text != null && text.length() <= LONGEST);
  }

  /// The words of the pool at which the code was typed.
  ///
  /// @param pool its id
  /// @param name its name
  /// @param address host and port of its links
  /// @param key its public key, X.509 in Base64
  /// @param nonce 32 random bytes in Base64, so that no answer fits twice
  /// @param proof of the code for all of this
  public record Request(
      UUID pool, String name, String address, String key, String nonce, String proof) {

    /// Whether no part is missing, and none is longer than it can be.
    boolean isWhole() {
      return pool != null && areTexts(name, address, key, nonce, proof);
    }

    String proofBy(PairingCode code, String fingerprint) {
      return PairingProof.of(
          code, "request", fingerprint, pool.toString(), name, address, key, nonce);
    }
  }

  /// The words of the pool that showed the code.
  ///
  /// @param pool its id
  /// @param name its name
  /// @param address host and port of its links
  /// @param authority the authority's certificate, PEM
  /// @param certificate the other pool's certificate, PEM
  /// @param proof of the code for all of this and the nonce
  public record Answer(
      UUID pool, String name, String address, String authority, String certificate, String proof) {

    /// Whether no part is missing, and none is longer than it can be.
    boolean isWhole() {
      return pool != null && areTexts(name, address, authority, certificate, proof);
    }

    String proofBy(PairingCode code, String fingerprint, String nonce) {
      return PairingProof.of(
          code,
          "answer",
          fingerprint,
          nonce,
          pool.toString(),
          name,
          address,
          authority,
          certificate);
    }
  }
}

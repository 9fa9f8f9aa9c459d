package io.coppice.vasa.replication.pairing;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The proof that one end knows the code, and that nobody stands between the two.
///
/// It is an HMAC-SHA-256 under the code of everything that was said, and of the fingerprint of the
/// TLS certificate over which it was said. Somebody in between would have to show a certificate of
/// his own, and cannot make the proof for that one.
final class PairingProof {

  private static final String ALGORITHM = "HmacSHA256";

  private PairingProof() {}

  /// @param parts each by itself: no two lists of parts give the same proof
  static String of(PairingCode code, String... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(code.key(), ALGORITHM));
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        mac.update(Integer.toString(bytes.length).getBytes(StandardCharsets.US_ASCII));
        mac.update((byte) ':');
        mac.update(bytes);
      }
      return Base64.getEncoder().encodeToString(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + ALGORITHM, e);
    }
  }

  /// Whether a proof is the expected one, in a time that tells nothing.
  static boolean holds(String expected, String came) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.US_ASCII), came.getBytes(StandardCharsets.UTF_8));
  }
}

package io.coppice.iscsi.login;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One CHAP exchange (RFC 7143 §12.1.3): algorithm, challenge, response, and the initiator's own
/// challenge if it asks us to prove ourselves.
final class ChapExchange {

  private static final int CHALLENGE_LENGTH = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String secret;
  private final Optional<String> mutualSecret;
  private final String ownName;
  private final byte[] challenge = new byte[CHALLENGE_LENGTH];
  private final int identifier;
  private @Nullable ChapAlgorithm algorithm;
  private boolean proven;

  /// @param ownName our name for an initiator that asks
  ChapExchange(String secret, Optional<String> mutualSecret, String ownName) {
    this.secret = secret;
    this.mutualSecret = mutualSecret;
    this.ownName = ownName;
    RANDOM.nextBytes(challenge);
    this.identifier = RANDOM.nextInt(256);
  }

  /// Whether the initiator has proven that it knows the secret.
  boolean isProven() {
    return proven;
  }

  /// Takes the CHAP keys of one request.
  ///
  /// @return the keys of the answer, in order
  /// @throws LoginRefusedException if they prove the wrong thing or are out of order
  Map<String, String> receive(Map<String, String> keys) {
    String algorithms = keys.get("CHAP_A");
    if (algorithms != null && algorithm == null) {
      return challenge(algorithms);
    }
    String response = keys.get("CHAP_R");
    if (response != null && algorithm != null && !proven) {
      return verify(algorithm, response, keys);
    }
    throw broken("CHAP keys out of order");
  }

  private Map<String, String> challenge(String algorithms) {
    ChapAlgorithm chosen =
        ChapAlgorithm.choose(algorithms)
            .orElseThrow(
                () -> refused(LoginRefusal.NO_COMMON_ALGORITHM, "no CHAP algorithm in common"));
    algorithm = chosen;
    Map<String, String> answer = new LinkedHashMap<>();
    answer.put("CHAP_A", Integer.toString(chosen.number()));
    answer.put("CHAP_I", Integer.toString(identifier));
    answer.put("CHAP_C", BinaryValue.encode(challenge));
    return answer;
  }

  private Map<String, String> verify(
      ChapAlgorithm chosen, String response, Map<String, String> keys) {
    String name = keys.get("CHAP_N");
    if (name == null || name.isEmpty()) {
      throw broken("no CHAP_N");
    }
    byte[] expected = chosen.response(identifier, secret, challenge);
    if (!MessageDigest.isEqual(expected, BinaryValue.decode("CHAP_R", response))) {
      throw refused(LoginRefusal.WRONG_SECRET, "wrong CHAP response");
    }
    Map<String, String> answer = mutual(chosen, keys);
    proven = true;
    return answer;
  }

  private Map<String, String> mutual(ChapAlgorithm chosen, Map<String, String> keys) {
    String theirIdentifier = keys.get("CHAP_I");
    String theirChallenge = keys.get("CHAP_C");
    if (theirIdentifier == null && theirChallenge == null) {
      return Map.of();
    }
    if (theirIdentifier == null || theirChallenge == null) {
      throw broken("CHAP_I and CHAP_C come together");
    }
    byte[] bytes = BinaryValue.decode("CHAP_C", theirChallenge);
    if (MessageDigest.isEqual(bytes, challenge)) {
      throw broken("our own challenge came back");
    }
    String ours =
        mutualSecret.orElseThrow(
            () -> refused(LoginRefusal.NO_TARGET_SECRET, "no secret to prove ourselves with"));
    if (ours.equals(secret)) {
      throw refused(LoginRefusal.EQUAL_SECRETS, "the two directions have the same secret");
    }
    long id = BinaryValue.number(theirIdentifier);
    if (id < 0 || id > 255) {
      throw broken("expected a CHAP_I from 0 to 255");
    }
    Map<String, String> answer = new LinkedHashMap<>();
    answer.put("CHAP_N", ownName);
    answer.put("CHAP_R", BinaryValue.encode(chosen.response((int) id, ours, bytes)));
    return answer;
  }

  private static LoginRefusedException broken(String message) {
    return refused(LoginRefusal.CHAP_BROKEN, message);
  }

  private static LoginRefusedException refused(LoginRefusal why, String message) {
    return new LoginRefusedException(why, message);
  }
}

package io.coppice.vasa.replication.pairing;

import io.coppice.vasa.fault.VasaException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Locale;

/// A code that pairs two pools once: 100 random bits as 20 letters and digits, in groups of five.
///
/// It is long enough that nobody finds it by trying, not even with a message that it signed.
/// Letters that look like digits do not occur; if somebody types one, the digit is meant
/// (Crockford's Base32).
record PairingCode(String letters) {

  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int LENGTH = 20;
  private static final int GROUP = 5;
  private static final SecureRandom RANDOM = new SecureRandom();

  static PairingCode random() {
    StringBuilder letters = new StringBuilder();
    for (int i = 0; i < LENGTH; i++) {
      letters.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
    }
    return new PairingCode(letters.toString());
  }

  /// The code that somebody typed.
  ///
  /// @throws VasaException (InvalidArgument) if it has another form
  static PairingCode parse(String typed) {
    String letters =
        typed
            .replaceAll("[\\s-]", "")
            .toUpperCase(Locale.ROOT)
            .replace('O', '0')
            .replace('I', '1')
            .replace('L', '1');
    boolean isCode =
        letters.length() == LENGTH
            && letters.chars().allMatch(letter -> ALPHABET.indexOf(letter) >= 0);
    if (!isCode) {
      // The code is a secret, even with a slip in it: the message does not repeat it.
      throw VasaException.invalidArgument(
              "expected a code of %d letters and digits, such as 0A1B2-C3D4E-5F6G7-H8J9K, got %d of them"
                  .formatted(LENGTH, letters.length()))
          .about("code");
    }
    return new PairingCode(letters);
  }

  byte[] key() {
    return letters.getBytes(StandardCharsets.US_ASCII);
  }

  /// The code for people.
  String shown() {
    return letters.replaceAll("(.{%d})(?=.)".formatted(GROUP), "$1-");
  }

  /// Never the code.
  @Override
  public String toString() {
    return "PairingCode[]";
  }
}

package io.coppice.admin.login;

import io.coppice.admin.problem.RequestRejectedException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.stereotype.Component;

/// The passwords of accounts, of which only the bcrypt is kept.
///
/// bcrypt looks at the first 72 bytes of a text and repeats a shorter one with a zero byte between,
/// so that longer texts, and those with U+0000, would be the same password as others. Neither can
/// become one. A text counts in its composed form (NFC): keyboards write the same letter in several
/// ways.
@Component
final class Passwords {

  static final int LEAST_CHARACTERS = 12;
  static final int MOST_BYTES = 72;

  private final BCryptPasswordEncoder encoder;
  private final BoundedChecks checks;

  private final LongAdder computed = new LongAdder();

  /// A hash that no password has: for names without an account, which cost the same work.
  private final String decoy;

  Passwords(LoginSettings settings) {
    encoder = new BCryptPasswordEncoder(settings.bcryptCost());
    checks = new BoundedChecks(settings.passwordChecks());
    decoy = Objects.requireNonNull(encoder.encode("no password: too short for one"));
  }

  /// The hash of a new password.
  ///
  /// @param field as REST calls it
  /// @throws RequestRejectedException if the text cannot be a password; (503) if too many are being
  ///   hashed
  String hash(String field, String text) {
    String password = composed(text);
    int characters = password.codePointCount(0, password.length());
    int bytes = password.getBytes(StandardCharsets.UTF_8).length;
    if (characters < LEAST_CHARACTERS || bytes > MOST_BYTES || hasControls(password)) {
      throw RequestRejectedException.field(
          field,
          "expected a password of at least %d characters and at most %d bytes of UTF-8, without"
                  .formatted(LEAST_CHARACTERS, MOST_BYTES)
              + " control characters, got one of %d characters and %d bytes%s"
                  .formatted(
                      characters, bytes, hasControls(password) ? " with control characters" : ""));
    }
    return checks.call(
        () -> {
          computed.increment();
          return Objects.requireNonNull(encoder.encode(password));
        });
  }

  /// Whether a text is the password of a hash. It takes the same time whatever is wrong.
  ///
  /// @param hash null if there is no account
  /// @throws RequestRejectedException (503) if too many are being checked
  boolean matches(String text, @Nullable String hash) {
    String password = composed(text);
    boolean possible =
        hash != null
            && !hasControls(password)
            && password.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES;
    String compared = possible ? password : "x".repeat(LEAST_CHARACTERS);
    String against = hash != null && possible ? hash : decoy;
    return checks.call(
            () -> {
              computed.increment();
              return encoder.matches(compared, against);
            })
        && possible;
  }

  /// Whether a hash was made at another cost than hashes of today.
  boolean isOutdated(String hash) {
    return encoder.upgradeEncoding(hash);
  }

  /// Hashes that were computed since the start, for new passwords and for those that were checked.
  long computed() {
    return computed.sum();
  }

  private static String composed(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFC);
  }

  private static boolean hasControls(String text) {
    return text.codePoints().anyMatch(Character::isISOControl);
  }
}

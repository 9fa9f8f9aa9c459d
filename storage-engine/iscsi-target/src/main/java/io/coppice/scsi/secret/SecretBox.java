package io.coppice.scsi.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// The box in which secrets lie while they stand in the pool. Safe for any thread.
public sealed interface SecretBox {

  /// Bytes of a key.
  int KEY_BYTES = 32;

  /// The text to be stored for a secret; different at each call.
  ///
  /// @param name of the record: under another one the text is of no use
  /// @throws SecretsLockedException without a key
  String seal(String name, String secret);

  /// The secret of a stored text.
  ///
  /// @throws SecretsLockedException without the key that it was sealed with, or if the text or its
  ///   name was changed
  String open(String name, String sealed);

  /// The box with a key.
  ///
  /// @param key [#KEY_BYTES] bytes; copied
  static SecretBox of(byte[] key) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "expected a key of %d bytes, got %d".formatted(KEY_BYTES, key.length));
    }
    return new Keyed(new SecretKeySpec(key, "AES"));
  }

  /// The box without its key.
  ///
  /// @param why a sentence for people
  static SecretBox locked(String why) {
    return new Locked(why);
  }

  /// A box of AES-256 in Galois/Counter Mode (NIST SP 800-38D): base64url of a nonce of 12 random
  /// bytes, the ciphertext and a tag of 128 bits; the record's name is authenticated with it.
  record Keyed(SecretKeySpec key) implements SecretBox {

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    /// Never the key.
    @Override
    public String toString() {
      return "Keyed[]";
    }

    @Override
    public String seal(String name, String secret) {
      byte[] nonce = new byte[NONCE_BYTES];
      RANDOM.nextBytes(nonce);
      try {
        byte[] text =
            cipher(Cipher.ENCRYPT_MODE, name, nonce)
                .doFinal(secret.getBytes(StandardCharsets.UTF_8));
        byte[] all = Arrays.copyOf(nonce, nonce.length + text.length);
        System.arraycopy(text, 0, all, nonce.length, text.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this Java cannot encrypt with AES in GCM", e);
      }
    }

    @Override
    public String open(String name, String sealed) {
      try {
        byte[] all = Base64.getUrlDecoder().decode(sealed);
        byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
        int from = Math.min(NONCE_BYTES, all.length);
        byte[] secret =
            cipher(Cipher.DECRYPT_MODE, name, nonce).doFinal(all, from, all.length - from);
        return new String(secret, StandardCharsets.UTF_8);
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        throw new SecretsLockedException(
            "The key of the CHAP secrets is not the one that the secret in %s was stored with, or that record is damaged."
                .formatted(name),
            e);
      }
    }

    private Cipher cipher(int mode, String name, byte[] nonce) throws GeneralSecurityException {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
      return cipher;
    }
  }

  /// A box that nobody can open.
  record Locked(String why) implements SecretBox {

    @Override
    public String seal(String name, String secret) {
      throw new SecretsLockedException(why);
    }

    @Override
    public String open(String name, String sealed) {
      throw new SecretsLockedException(why);
    }
  }
}

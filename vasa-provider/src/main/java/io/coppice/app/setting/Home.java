package io.coppice.app.setting;

import io.coppice.engine.files.OwnerOnly;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.vasa.audit.AuditKey;
import io.coppice.vasa.certificate.SecretFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder of everything that Coppice keeps, and the secrets in it.
///
/// @param path absolute
public record Home(Path path) {

  private static final Logger log = LoggerFactory.getLogger(Home.class);
  private static final int SECRET_BYTES = 24;

  /// Makes the folder if it does not exist. Only its owner may enter it: folders that an older
  /// version left open are closed.
  ///
  /// @throws StartupException if it cannot be made or written
  public static Home open(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    try {
      OwnerOnly.createDirectories(absolute);
      tighten(absolute);
    } catch (IOException e) {
      throw new StartupException(
          "coppice.home: expected a folder that can be made at %s, got %s".formatted(absolute, e),
          e);
    }
    if (!Files.isWritable(absolute)) {
      throw new StartupException(
          "coppice.home: expected a folder that can be written, got " + absolute);
    }
    return new Home(absolute);
  }

  // Skips the programs of the database, which are public, and its data, which it guards itself.
  private static void tighten(Path home) throws IOException {
    OwnerOnly.tighten(home);
    try (Stream<Path> own = Files.walk(home, 2)) {
      own.filter(path -> !path.startsWith(home.resolve("postgres")))
          .filter(path -> !path.startsWith(home.resolve("database")))
          .forEach(OwnerOnly::tighten);
    }
  }

  /// Password of registrations.
  public Path vasaPassword() {
    return path.resolve("vasa.password");
  }

  /// Token of the REST API's administrator.
  public Path adminToken() {
    return path.resolve("admin.token");
  }

  /// Key of the CHAP secrets that stand in the pool.
  Path chapKey() {
    return path.resolve("chap.key");
  }

  /// The box that seals the CHAP secrets of the pool. Makes the key if nothing has been sealed yet.
  ///
  /// @param needed whether the pool has sealed secrets
  /// @return locked, with the reason, if the needed key is missing, or cannot be read
  /// @throws StartupException if a new key cannot be written
  public SecretBox chapSecrets(boolean needed) {
    Path file = chapKey();
    if (!Files.exists(file)) {
      if (needed) {
        return locked("There is no key of the CHAP secrets at %s".formatted(file));
      }
      write(file, SecretBox.KEY_BYTES);
    }
    try {
      return SecretBox.of(HexFormat.of().parseHex(secret(file)));
    } catch (IllegalArgumentException | UncheckedIOException e) {
      return locked(
          "The file %s holds no key of CHAP secrets: expected %d hex digits"
              .formatted(file, 2 * SecretBox.KEY_BYTES));
    }
  }

  /// The box that seals the secrets of alert targets. The key is made at the first start, and again
  /// if it is lost: then targets are off until they are given their secrets anew.
  ///
  /// @throws StartupException if it cannot be written, or the file holds none
  public SecretBox alertSecrets() {
    Path file = path.resolve("alert.key");
    if (!Files.exists(file)) {
      write(file, SecretBox.KEY_BYTES);
    }
    try {
      return SecretBox.of(HexFormat.of().parseHex(secret(file)));
    } catch (IllegalArgumentException | UncheckedIOException e) {
      throw new StartupException(
          "the file %s holds no key of alert targets: expected %d hex digits"
              .formatted(file, 2 * SecretBox.KEY_BYTES),
          e);
    }
  }

  /// Where records of the audit trail wait while the database is away.
  public Path auditSpool() {
    return path.resolve("audit");
  }

  /// The key of the audit trail. It is made at the first start, and again if it is lost: then what
  /// was written before cannot be verified until the old one is put back.
  ///
  /// @throws StartupException if it cannot be written, or the file holds none
  public AuditKey auditKey() {
    Path file = path.resolve("audit.key");
    if (!Files.exists(file)) {
      write(file, AuditKey.BYTES);
    }
    try {
      return AuditKey.of(HexFormat.of().parseHex(secret(file)));
    } catch (IllegalArgumentException | UncheckedIOException e) {
      throw new StartupException(
          "the file %s holds no key of the audit trail: expected %d hex digits"
              .formatted(file, 2 * AuditKey.BYTES),
          e);
    }
  }

  private static SecretBox locked(String why) {
    String sentence =
        why
            + "; initiators with a secret are refused, and links with peers locked, until it is put"
            + " back from a backup and the provider is started again.";
    log.atError().log(sentence);
    return SecretBox.locked(sentence);
  }

  /// Makes the secrets that do not exist yet.
  public void makeSecrets() {
    for (Path file : new Path[] {vasaPassword(), adminToken()}) {
      if (!Files.exists(file)) {
        write(file, SECRET_BYTES);
      }
    }
  }

  private void write(Path file, int length) {
    byte[] bytes = new byte[length];
    new SecureRandom().nextBytes(bytes);
    try {
      SecretFile.write(file, HexFormat.of().formatHex(bytes));
    } catch (IOException e) {
      throw new StartupException("the secrets cannot be written into %s: %s".formatted(path, e), e);
    }
  }

  /// The first line of a secret file.
  public static String secret(Path file) {
    try {
      return Files.readString(file).lines().findFirst().orElse("").strip();
    } catch (IOException e) {
      throw new UncheckedIOException("the secret cannot be read: " + file, e);
    }
  }
}

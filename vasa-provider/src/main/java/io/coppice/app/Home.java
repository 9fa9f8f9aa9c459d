package io.coppice.app;

import io.coppice.vasa.certificate.SecretFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/// The folder of everything that Coppice keeps, and the secrets in it.
///
/// @param path absolute
public record Home(Path path) {

  private static final int SECRET_BYTES = 24;

  /// Makes the folder if it is not there.
  ///
  /// @throws StartupException if it cannot be made or written
  static Home open(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    try {
      Files.createDirectories(absolute);
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

  /// Password of registrations.
  Path vasaPassword() {
    return path.resolve("vasa.password");
  }

  /// Token of the REST API's administrator.
  Path adminToken() {
    return path.resolve("admin.token");
  }

  /// Makes the secrets that are not there yet.
  void makeSecrets() {
    try {
      for (Path file : new Path[] {vasaPassword(), adminToken()}) {
        if (!Files.exists(file)) {
          byte[] bytes = new byte[SECRET_BYTES];
          new SecureRandom().nextBytes(bytes);
          SecretFile.write(file, HexFormat.of().formatHex(bytes));
        }
      }
    } catch (IOException e) {
      throw new StartupException("the secrets cannot be written into %s: %s".formatted(path, e), e);
    }
  }

  /// The first line of a secret file.
  static String secret(Path file) {
    try {
      return Files.readString(file).lines().findFirst().orElse("").strip();
    } catch (IOException e) {
      throw new UncheckedIOException("the secret cannot be read: " + file, e);
    }
  }
}

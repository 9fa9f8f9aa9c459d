package io.coppice.app.tool.backup;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The files of the home that a backup takes along, read whole. A backup either has a file as it
/// was, or says that it did not exist, or is not made.
///
/// @param content by the name of the file in the home
/// @param missing files that do not exist
record HomeFiles(Map<String, byte[]> content, List<String> missing) {

  /// The files that are saved: without them clients would need new ones.
  static final List<String> NAMES =
      List.of(
          "vasa.password",
          "admin.token",
          "chap.key",
          "audit.key",
          "alert.key",
          "tls/root.pem",
          "tls/vasa.pem",
          "tls/management.pem");

  /// Most bytes of a file. Each is a secret or a certificate, so a longer one is not ours.
  private static final long MOST_BYTES = 1 << 20;

  /// @throws RefusedException if a file exists and cannot be read
  static HomeFiles read(Path home) {
    Map<String, byte[]> content = new LinkedHashMap<>();
    List<String> missing = new ArrayList<>();
    for (String name : NAMES) {
      Path file = home.resolve(name);
      try {
        if (Files.size(file) > MOST_BYTES) {
          throw new IOException("it has more than %d bytes".formatted(MOST_BYTES));
        }
        content.put(name, Files.readAllBytes(file));
      } catch (NoSuchFileException e) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
          throw unreadable(file, "it is a link to nothing", e);
        }
        missing.add(name);
      } catch (AccessDeniedException e) {
        throw unreadable(file, "access denied", e);
      } catch (IOException e) {
        throw unreadable(file, String.valueOf(e.getMessage()), e);
      }
    }
    return new HomeFiles(content, List.copyOf(missing));
  }

  private static BackupRefusedException unreadable(Path file, String why, IOException cause) {
    return new BackupRefusedException(
        "Expected to read %s for the backup, but it cannot be read: %s.".formatted(file, why),
        cause);
  }
}

package io.coppice.app.tool.bundle;

import io.coppice.app.setting.CoppiceProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The secrets that this home, its settings and this process's environment hold, by their values.
final class HomeSecrets {

  private static final long MOST_BYTES = 1 << 20;

  private static final Pattern NAMED =
      Pattern.compile(".*(PASSWORD|PASSWD|SECRET|TOKEN|CREDENTIAL|_KEY|PGPASS).*");

  /// Passwords in a URL: before the host, and as a parameter.
  private static final Pattern USER_INFO =
      Pattern.compile("://[^:/?#@]*:([^/?#]*)@|[?&]password=([^&]*)", Pattern.CASE_INSENSITIVE);

  private HomeSecrets() {}

  /// @throws IOException if a file with a secret is there and cannot be read: then nothing could
  ///   keep it out of the bundle
  static List<String> of(CoppiceProperties settings, Path home, Map<String, String> environment)
      throws IOException {
    List<String> secrets = new ArrayList<>();
    for (Path file : files(home)) {
      addLines(file, secrets);
    }
    String password = settings.database().password();
    if (!password.isEmpty()) {
      secrets.add(password);
    }
    Matcher inUrl = USER_INFO.matcher(settings.database().url());
    while (inUrl.find()) {
      secrets.add(inUrl.group(1) == null ? inUrl.group(2) : inUrl.group(1));
    }
    String file = settings.database().passwordFile();
    if (!file.isBlank() && Files.exists(Path.of(file))) {
      addLines(Path.of(file), secrets);
    }
    environment.forEach(
        (name, value) -> {
          if (NAMED.matcher(name).matches()) {
            secrets.add(value);
          }
        });
    return secrets;
  }

  /// The home's own files that hold secrets: each file beside the folders, and the keys of TLS.
  private static List<Path> files(Path home) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path folder : List.of(home, home.resolve("tls"))) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> all = Files.list(folder)) {
          all.filter(Files::isRegularFile).filter(HomeSecrets::holdsSecret).forEach(files::add);
        }
      }
    }
    return files;
  }

  private static boolean holdsSecret(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.matches(".*\\.(password|token|key|pem|secret)(\\.partial)?");
  }

  private static void addLines(Path file, List<String> secrets) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(
          "expected a secret of at most %d bytes in %s, got more".formatted(MOST_BYTES, file));
    }
    boolean isPublic = false;
    for (String line :
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList()) {
      if (line.startsWith("-----")) {
        isPublic = line.contains("CERTIFICATE") && line.contains("BEGIN");
      } else if (!isPublic) {
        secrets.add(line.strip());
      }
    }
  }
}

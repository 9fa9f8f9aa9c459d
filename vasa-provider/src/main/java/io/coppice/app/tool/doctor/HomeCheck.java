package io.coppice.app.tool.doctor;

import io.coppice.engine.files.OwnerOnly;
import io.coppice.vasa.verdict.Cause;
import io.coppice.vasa.verdict.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The check of the running Java, and of the home folder with its secrets.
final class HomeCheck implements Check {

  private static final int JAVA = 25;
  private static final List<String> SECRETS =
      List.of(
          "vasa.password",
          "admin.token",
          "chap.key",
          "database.password",
          "tls/root.pem",
          "tls/vasa.pem",
          "tls/management.pem");

  @Override
  public void look(DoctorSubject site, Report report) {
    int feature = Runtime.version().feature();
    if (feature < JAVA) {
      report.fail(
          "java",
          Cause.HOME,
          "This is Java %d, but Coppice needs %d.".formatted(feature, JAVA),
          "install a JDK 25 or point COPPICE_JAVA_HOME at one.");
    } else {
      report.ok("java", "Java %s", Runtime.version());
    }
    home(site, report);
  }

  private static void home(DoctorSubject site, Report report) {
    Path home = site.home();
    if (!Files.isDirectory(home)) {
      report.fail(
          "home",
          Cause.HOME,
          "There is no provider in %s: the folder does not exist.".formatted(home),
          "name the right one with --home, or make a new provider there with \"./coppice up\".");
      return;
    }
    if (!Files.isReadable(home) || !Files.isWritable(home) || !Files.isExecutable(home)) {
      report.fail(
          "home",
          Cause.HOME,
          "The folder %s cannot be read and written by the user %s."
              .formatted(home, System.getProperty("user.name")),
          "run as the user that owns it, or give it to this user.");
      return;
    }
    report.ok("home", "%s can be read and written", home);
    secrets(site, report);
  }

  private static void secrets(DoctorSubject site, Report report) {
    boolean readable = true;
    for (String name : SECRETS) {
      Path file = site.home().resolve(name);
      if (Files.exists(file) && !Files.isReadable(file)) {
        readable = false;
        report.fail(
            "secrets",
            Cause.HOME,
            "The file %s cannot be read by the user %s."
                .formatted(file, System.getProperty("user.name")),
            "run as the user that owns it.");
      }
    }
    if (readable) {
      permissions(site, report);
    }
  }

  private static void permissions(DoctorSubject site, Report report) {
    try {
      List<Path> open = openToOthers(site);
      if (open.isEmpty()) {
        report.ok("secrets", "only their owner can read the files of the provider");
      } else {
        report.warn(
            "secrets",
            "others than the owner can read or write %s%s: chmod go= takes that from them, and so"
                + " does the next start for what is in the home",
            open.getFirst(),
            open.size() == 1
                ? ""
                : " and %d more, such as %s".formatted(open.size() - 1, open.getLast()));
      }
    } catch (IOException | UncheckedIOException | UnsupportedOperationException e) {
      report.skip("secrets", "the permissions of the files in %s cannot be read", site.home());
    }
  }

  /// Files that others may read. Looks at everything in the home but the database, which guards its
  /// own folder, and its programs, which are public; and at the pool's files.
  private static List<Path> openToOthers(DoctorSubject site) throws IOException {
    Path home = site.home();
    Set<Path> files = new LinkedHashSet<>();
    try (Stream<Path> own = Files.walk(home, 2)) {
      own.filter(path -> !path.startsWith(home.resolve("database")))
          .filter(path -> !path.startsWith(home.resolve("postgres")))
          .forEach(files::add);
    }
    files.add(site.poolFile());
    String mirror = site.settings().pool().mirror();
    if (!mirror.isBlank()) {
      files.add(Path.of(mirror));
    }
    List<Path> open = new ArrayList<>();
    for (Path file : files) {
      if (Files.exists(file) && OwnerOnly.isOpenToOthers(file)) {
        open.add(file);
      }
    }
    return open;
  }
}

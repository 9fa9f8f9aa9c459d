package io.coppice.app.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;

/// The Java that runs, and the folder of everything with the secrets in it.
final class HomeCheck implements Check {

  private static final int JAVA = 25;
  private static final List<String> SECRETS =
      List.of(
          "vasa.password",
          "admin.token",
          "database.password",
          "tls/root.pem",
          "tls/vasa.pem",
          "tls/management.pem");

  @Override
  public void look(Site site, Report report) {
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
    home(site.home(), report);
  }

  private static void home(Path home, Report report) {
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
    secrets(home, report);
  }

  private static void secrets(Path home, Report report) {
    boolean good = true;
    for (String name : SECRETS) {
      Path file = home.resolve(name);
      if (Files.exists(file)) {
        good &= secret(file, report);
      }
    }
    if (good) {
      report.ok("secrets", "only their owner can read them");
    }
  }

  private static boolean secret(Path file, Report report) {
    if (!Files.isReadable(file)) {
      report.fail(
          "secrets",
          Cause.HOME,
          "The file %s cannot be read by the user %s."
              .formatted(file, System.getProperty("user.name")),
          "run as the user that owns it.");
      return false;
    }
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      boolean open =
          permissions.contains(PosixFilePermission.GROUP_READ)
              || permissions.contains(PosixFilePermission.OTHERS_READ);
      if (open) {
        report.warn("secrets", "others than its owner can read %s: chmod 600", file);
      }
      return !open;
    } catch (IOException | UnsupportedOperationException e) {
      report.skip("secrets", "the permissions of %s cannot be read", file);
      return true;
    }
  }
}

package io.coppice.it;

import io.coppice.harness.Commands;
import io.coppice.harness.SharedFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The packages of this build, each made once for all tests, without a cache of classes.
final class Packages {

  private static final int LIMIT_SECONDS = 300;
  private static @Nullable Path made;
  private static @Nullable Path next;

  private Packages() {}

  static Path checkout() {
    return jar().getParent().getParent().getParent();
  }

  /// The version of this build.
  static String version() {
    String name = jar().getFileName().toString();
    return name.replaceAll("^coppice-vasa-provider-(.*)-exec\\.jar$", "$1");
  }

  /// The next version, with the same content.
  static String nextVersion() {
    return version() + ".1";
  }

  static synchronized Path deb() {
    return folder().resolve("coppice_%s_amd64.deb".formatted(version()));
  }

  /// An archive for `docker load`.
  static synchronized Path image() {
    return folder().resolve("coppice-%s-image.tar".formatted(version()));
  }

  static synchronized Path nextDeb() {
    Path folder = next;
    if (folder == null) {
      folder = make(nextVersion(), "--deb-only");
      next = folder;
    }
    return folder.resolve("coppice_%s_amd64.deb".formatted(nextVersion()));
  }

  private static Path folder() {
    Path folder = made;
    if (folder == null) {
      folder = make(version(), "--without-cache");
      made = folder;
    }
    return folder;
  }

  private static Path jar() {
    return Path.of(System.getProperty("coppice.jar")).toAbsolutePath();
  }

  private static Path make(String version, String option) {
    try {
      Path into = Path.of("target", "package-" + version).toAbsolutePath();
      SharedFolder.fill(
          into, System.getProperty("coppice.build"), () -> make(version, option, into));
      return into;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void make(String version, String option, Path into) {
    Commands.require(
        LIMIT_SECONDS,
        checkout().resolve("docker/package/make.sh").toString(),
        "--jdk",
        System.getProperty("java.home"),
        "--jar",
        jar().toString(),
        "--version",
        version,
        "--into",
        into.toString(),
        "--without-cache",
        option);
  }
}

package io.coppice.it;

import io.coppice.harness.Commands;
import io.coppice.harness.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A local repository of Maven for one test, with this build's artifacts where it installs them,
/// and the libraries that this build has already fetched. The user's own one is left as it is.
final class LocalRepository {

  private static final int LIMIT_SECONDS = 600;
  private static final String INSTALL =
      "org.apache.maven.plugins:maven-install-plugin:3.1.4:install-file";

  private final Path folder;

  private LocalRepository(Path folder) {
    this.folder = folder;
  }

  /// Makes a new one.
  ///
  /// @param folder what is there is deleted
  static LocalRepository make(Path folder) throws IOException {
    if (Files.exists(folder)) {
      Folders.delete(folder);
    }
    Path of = Path.of(System.getProperty("maven.repository"));
    Path ours = of.resolve("io/coppice");
    List<Path> libraries;
    try (Stream<Path> all = Files.walk(of)) {
      libraries =
          all.filter(file -> !file.startsWith(ours))
              .filter(file -> file.toString().matches(".*\\.(jar|pom)"))
              .toList();
    }
    for (Path library : libraries) {
      share(library, folder.resolve(of.relativize(library)));
    }
    return new LocalRepository(folder);
  }

  /// A second name for a file that Maven never changes, or a copy on another file system.
  private static void share(Path library, Path name) throws IOException {
    Files.createDirectories(name.getParent());
    try {
      Files.createLink(name, library);
    } catch (IOException | UnsupportedOperationException e) {
      Files.copy(library, name);
    }
  }

  /// Installs the artifact of a POM as `mvn install` does.
  ///
  /// @param jar the same POM for one without a jar
  void install(Path pom, Path jar) {
    List<String> options = new ArrayList<>(List.of(INSTALL, "-Dfile=" + jar, "-DpomFile=" + pom));
    if (pom.equals(jar)) {
      options.add("-Dpackaging=pom");
    }
    maven(folder, options.toArray(String[]::new));
  }

  /// Runs Maven on the project in a folder, or without one.
  ///
  /// @return what it said
  /// @throws io.coppice.harness.Mismatch if it failed
  String maven(Path project, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env",
                "--chdir=" + project,
                "JAVA_HOME=" + System.getProperty("java.home"),
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-ntp",
                "-Dmaven.repo.local=" + folder));
    command.addAll(List.of(arguments));
    return Commands.require(LIMIT_SECONDS, command.toArray(String[]::new));
  }
}

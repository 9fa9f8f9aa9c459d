package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// The example of `docs/testcontainers.md`, built and tested by Maven as a stranger does it:
/// outside of this checkout, from installed artifacts.
@ExtendWith(DockerDaemon.class)
class ExampleProjectIT {

  private static final Path CHECKOUT = Packages.checkout();
  private static final Path EXAMPLE = CHECKOUT.resolve("src-test/testcontainers/example");

  @TempDir private Path folder;

  @Test
  void theExampleIsTestedFromInstalledArtifacts() throws IOException {
    DockerDaemon.providerImage();
    LocalRepository repository =
        LocalRepository.make(Path.of("target/example-repository").toAbsolutePath());
    for (String parent : List.of("pom.xml", "src-test/pom.xml")) {
      repository.install(CHECKOUT.resolve(parent), CHECKOUT.resolve(parent));
    }
    for (String module : List.of("vsphere-driver", "testcontainers")) {
      Path source = CHECKOUT.resolve("src-test").resolve(module);
      String jar = "target/coppice-%s-%s.jar".formatted(module, Packages.version());
      repository.install(source.resolve("pom.xml"), source.resolve(jar));
    }
    Path project = copied(folder.resolve("vvol-backup"));

    String said = repository.maven(project, "verify");

    assertThat(said)
        .contains("Running com.example.backup.FirstTest", "Running com.example.backup.BackupTest")
        .contains("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0")
        .contains("BUILD SUCCESS");
  }

  private static Path copied(Path project) throws IOException {
    try (Stream<Path> all = Files.walk(EXAMPLE)) {
      for (Path file : all.filter(each -> !each.startsWith(EXAMPLE.resolve("target"))).toList()) {
        Path copy = project.resolve(EXAMPLE.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
    return project;
  }
}

package io.coppice.app.tool.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeFilesTest {

  @TempDir private Path home;

  @BeforeEach
  void furnish() throws IOException {
    Files.createDirectory(home.resolve("tls"));
    for (String name : HomeFiles.NAMES) {
      Files.writeString(home.resolve(name), "content of " + name);
    }
  }

  @Test
  void everyFileGoesAlongAsItIs() {
    HomeFiles files = HomeFiles.read(home);

    assertThat(files.content().keySet()).containsExactlyElementsOf(HomeFiles.NAMES);
    assertThat(files.content().get("tls/root.pem")).asString().isEqualTo("content of tls/root.pem");
    assertThat(files.missing()).isEmpty();
  }

  @Test
  void whatIsNotThereIsNamed() throws IOException {
    Files.delete(home.resolve("admin.token"));
    Files.delete(home.resolve("tls/vasa.pem"));

    HomeFiles files = HomeFiles.read(home);

    assertThat(files.missing()).containsExactly("admin.token", "tls/vasa.pem");
    assertThat(files.content().keySet())
        .containsExactly(
            "vasa.password",
            "chap.key",
            "audit.key",
            "alert.key",
            "tls/root.pem",
            "tls/management.pem");
  }

  @Test
  void whatIsNoFileIsRefusedByName() throws IOException {
    Files.delete(home.resolve("tls/root.pem"));
    Files.createDirectory(home.resolve("tls/root.pem"));

    assertRefused("tls/root.pem");
  }

  @Test
  void aLinkToNothingIsRefusedByName() throws IOException {
    Files.delete(home.resolve("vasa.password"));
    Files.createSymbolicLink(home.resolve("vasa.password"), home.resolve("gone"));

    assertRefused("vasa.password");
  }

  @Test
  void aFileThatIsTooLongIsRefusedByName() throws IOException {
    Files.write(home.resolve("tls/vasa.pem"), new byte[(1 << 20) + 1]);

    assertRefused("tls/vasa.pem");
  }

  @Test
  void aFileThatMayNotBeReadIsRefusedByName() throws IOException {
    Path file = home.resolve("tls/management.pem");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    assumeThat(Files.isReadable(file)).as("root reads everything").isFalse();

    assertRefused("tls/management.pem");
  }

  private void assertRefused(String name) {
    assertThatThrownBy(() -> HomeFiles.read(home))
        .isInstanceOf(BackupRefusedException.class)
        .hasMessageStartingWith(
            "Expected to read %s for the backup, but it cannot be read: "
                .formatted(home.resolve(name)));
  }
}

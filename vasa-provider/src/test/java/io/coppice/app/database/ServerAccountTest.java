package io.coppice.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.coppice.engine.files.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// PostgreSQL's programs refuse to run as root: who runs them instead.
class ServerAccountTest {

  private static final Path BINARIES = Path.of("/srv/coppice/postgres");

  @TempDir private Path home;

  private final List<String> tried = new ArrayList<>();

  @Test
  void anAccountOfItsOwnIsUsedAsItIs() {
    assertThat(choose(false, "")).isInstanceOf(ServerAccount.Own.class);
    assertThat(tried).isEmpty();
  }

  @Test
  void rootUsesANamespaceWhereItMay() {
    assertThat(choose(true, "unshare")).isInstanceOf(ServerAccount.Namespace.class);
  }

  @Test
  void rootWithoutNamespacesBecomesNobody() {
    assertThat(choose(true, "setpriv").prefix()).startsWith("setpriv", "--reuid=65534");
    assertThat(tried.getLast()).endsWith("test -x " + BINARIES);
    assertThat(choose(true, "runuser").prefix()).containsExactly("runuser", "-u", "nobody", "--");
  }

  @Test
  void nobodyMayPassThroughTheHomeButNotReadIt() throws IOException {
    choose(true, "setpriv");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
        .isEqualTo("rwx-----x");
    assertThat(OwnerOnly.isOpenToOthers(home)).isFalse();
  }

  @Test
  void rootWithoutAnyWayIsToldWhatToDo() {
    assertThatExceptionOfType(DatabaseException.class)
        .isThrownBy(() -> choose(true, "nothing"))
        .withMessageContainingAll(
            "does not run as root",
            BINARIES.toString(),
            "start Coppice as another user",
            "coppice.database.url")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
  }

  private ServerAccount choose(boolean root, String works) {
    return ServerAccount.choose(
        home,
        BINARIES,
        root,
        (account, command) -> {
          tried.add(String.join(" ", account.prefix()) + " " + String.join(" ", command));
          return account.prefix().getFirst().equals(works);
        });
  }
}

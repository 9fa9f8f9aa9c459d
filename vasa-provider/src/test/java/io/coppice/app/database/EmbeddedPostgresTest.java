package io.coppice.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a start finds of the database's folder, and what it makes of it.
class EmbeddedPostgresTest {

  private Path home;
  private EmbeddedPostgres postgres;

  @BeforeEach
  void makeHome() throws IOException {
    // Every account reaches it, as the one that is not root must.
    home = Files.createTempDirectory("coppice-embedded");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void stopAndRemove() throws IOException {
    if (postgres != null) {
      postgres.stop();
    }
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void whatAnInterruptedInitdbLeftIsMadeAnew() throws Exception {
    Path halfMade = Files.createDirectories(home.resolve("database.initdb/base/1"));
    Files.writeString(halfMade.resolve("2619"), "half a table");
    Files.writeString(home.resolve("database.initdb/PG_VERSION"), "18\n");
    Files.writeString(home.resolve("database.initdb.password"), "of that initdb");
    Files.writeString(home.resolve("database.password"), "of that initdb");

    assertServes(start(ServerAccount::choose));

    assertThat(home.resolve("database.initdb")).doesNotExist();
    assertThat(home.resolve("database.initdb.password")).doesNotExist();
  }

  @Test
  void emptyFolderIsFilledAndKeptFromThenOn() throws Exception {
    Files.createDirectory(home.resolve("database"));
    EmbeddedPostgres.Server first = start(ServerAccount::choose);
    try (Connection connection = connect(first);
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept AS SELECT 42 AS value");
    }
    postgres.stop();

    EmbeddedPostgres.Server second = start(ServerAccount::choose);

    assertThat(second.password()).isEqualTo(first.password());
    try (Connection connection = connect(second);
        var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT value FROM kept")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getInt(1)).isEqualTo(42);
    }
    Files.delete(home.resolve("database.password"));
    assertRefused("password is missing", home.resolve("database.password").toString());
  }

  @Test
  void folderWithSomethingThatIsNoWholeDatabaseIsLeftAlone() throws Exception {
    Path table = Files.createDirectories(home.resolve("database/base/5")).resolve("16384");
    Files.writeString(table, "somebody's rows");

    assertRefused("is not empty, but has no PG_VERSION");

    assertThat(table).hasContent("somebody's rows");
    try (Stream<Path> files = Files.list(home.resolve("database"))) {
      assertThat(files).containsExactly(home.resolve("database/base"));
    }
    assertThat(home.resolve("database.initdb")).doesNotExist();
  }

  @Test
  void rootWithoutNamespacesServesAsNobody() throws Exception {
    assumeTrue(Files.isWritable(Path.of("/proc/1/oom_score_adj")), "only root changes its account");
    BiFunction<Path, Path, ServerAccount> noNamespaces =
        (folder, programs) ->
            ServerAccount.choose(
                folder,
                programs,
                true,
                (account, command) ->
                    !account.prefix().getFirst().equals("unshare")
                        && Programs.succeeds(account, command));

    assertServes(start(noNamespaces));

    assertThat(Files.getAttribute(home.resolve("database"), "unix:uid")).isEqualTo(65534);
  }

  private EmbeddedPostgres.Server start(BiFunction<Path, Path, ServerAccount> accounts) {
    postgres = new EmbeddedPostgres(home, InstantSource.system(), accounts);
    return postgres.start();
  }

  private void assertRefused(String... words) {
    assertThatExceptionOfType(DatabaseException.class)
        .isThrownBy(() -> start(ServerAccount::choose))
        .withMessageContainingAll(words)
        .satisfies(e -> assertThat(List.of(e.getMessage().split("\n"))).hasSize(1));
  }

  private static void assertServes(EmbeddedPostgres.Server server) throws SQLException {
    try (Connection connection = connect(server)) {
      assertThat(connection.isValid(10)).isTrue();
    }
  }

  private static Connection connect(EmbeddedPostgres.Server server) throws SQLException {
    return DriverManager.getConnection(server.url(), server.user(), server.password());
  }
}

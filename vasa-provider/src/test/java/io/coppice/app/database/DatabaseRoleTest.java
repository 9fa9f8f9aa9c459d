package io.coppice.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Rights of the product's account in the embedded server: all with what is its own, nothing with
/// the machine, in new homes and in those of earlier versions.
class DatabaseRoleTest {

  private static final String NOT_PERMITTED = "42501";

  /// Each would reach the machine or give the role more than it has.
  private static final List<String> REACHING_OUT =
      List.of(
          "COPY (SELECT 'x') TO PROGRAM 'cat > /dev/null'",
          "COPY kept FROM PROGRAM 'id'",
          "COPY (SELECT 'x') TO '/tmp/written-by-the-database'",
          "COPY kept FROM '/etc/passwd'",
          "SELECT pg_read_file('/etc/passwd')",
          "SELECT pg_ls_dir('/')",
          "SELECT lo_import('/etc/passwd')",
          "CREATE EXTENSION file_fdw",
          "CREATE EXTENSION plperlu",
          "CREATE FUNCTION f() RETURNS int AS 'libc.so.6', 'system' LANGUAGE c",
          "LOAD '$libdir/auto_explain'",
          "ALTER SYSTEM SET archive_command = 'true'",
          "ALTER ROLE coppice SUPERUSER",
          "CREATE ROLE other",
          "CREATE DATABASE other",
          "GRANT pg_execute_server_program TO coppice",
          "SET ROLE coppice_bootstrap",
          "SELECT rolpassword FROM pg_authid",
          "UPDATE pg_authid SET rolsuper = true");

  private Path home;
  private EmbeddedPostgres postgres;

  @BeforeEach
  void makeHome() throws IOException {
    home = Files.createTempDirectory("coppice-role");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    postgres = new EmbeddedPostgres(home, InstantSource.system(), ServerAccount::choose);
  }

  @AfterEach
  void stopAndRemove() throws IOException {
    postgres.stop();
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void roleReachesNothingOutsideOfItsDatabase() throws IOException, SQLException {
    EmbeddedPostgres.Server server = postgres.start();
    execute(server, "CREATE TABLE kept (value text)");

    assertReachesNothing(server);
    assertThat(Files.readAllLines(home.resolve("database/pg_hba.conf")))
        .filteredOn(line -> !line.isBlank() && !line.startsWith("#"))
        .isNotEmpty()
        .allMatch(line -> line.endsWith(" scram-sha-256"));
    assertThat(texts(server, "SHOW password_encryption")).containsExactly("scram-sha-256");
  }

  @Test
  void homeOfAnEarlierVersionKeepsAllButTheSuperuser() throws Exception {
    EarlierHome earlier = earlier();
    earlier.stop();

    EmbeddedPostgres.Server server = postgres.start();

    assertReachesNothing(server);
    assertKept(server);
    postgres.stop();
    assertKept(postgres.start());
  }

  @Test
  void serverOfAnEarlierVersionThatStillRunsIsSetUpAnew() throws Exception {
    earlier();

    EmbeddedPostgres.Server server = postgres.start();

    assertReachesNothing(server);
    assertKept(server);
    assertThat(postgres.start().adopted()).as("nothing is left to be done").isTrue();
  }

  @Test
  void crashAnywhereLeavesWhatTheNextStartBringsToItsEnd() throws Exception {
    EarlierHome earlier = new EarlierHome(home);
    Roles.run(earlier.programs(), earlier.data(), "postgres", List.of("CREATE DATABASE coppice"));
    for (int done = 1; done < Roles.SETTLE.size(); done++) {
      Roles.run(earlier.programs(), earlier.data(), "coppice", Roles.SETTLE.subList(0, done));
      earlier.start();
      earlier.execute("coppice", List.of("COPY (SELECT 'x') TO PROGRAM 'cat > /dev/null'"));
      earlier.stop();
    }

    EmbeddedPostgres.Server server = postgres.start();

    execute(server, "CREATE TABLE kept (value text)");
    assertReachesNothing(server);
  }

  @Test
  void earlierVersionThatCrashedBeforeItsDatabaseWasMadeGetsOne() throws Exception {
    new EarlierHome(home);

    EmbeddedPostgres.Server server = postgres.start();

    execute(server, "CREATE TABLE kept (value text)");
    assertReachesNothing(server);
  }

  @Test
  void homeThatCannotBeSetUpIsLeftAsItIsAndNoSecretIsLogged() throws Exception {
    EarlierHome earlier = earlier();
    earlier.execute("coppice", List.of("CREATE ROLE coppice_bootstrap"));

    assertThatExceptionOfType(DatabaseException.class)
        .isThrownBy(postgres::start)
        .withMessageContainingAll("cannot be set up", "role \"coppice_bootstrap\" already exists");

    earlier.start();
    earlier.execute("coppice", List.of("DROP ROLE coppice_bootstrap"));
    earlier.stop();
    EmbeddedPostgres.Server server = postgres.start();
    assertKept(server);
    assertReachesNothing(server);
    assertThat(Files.readString(home.resolve("log/postgres.log")))
        .doesNotContain(server.password())
        .doesNotContain("SCRAM-SHA-256$");
  }

  /// With rows in relations of each kind, and running.
  private EarlierHome earlier() throws IOException, SQLException {
    EarlierHome earlier = new EarlierHome(home);
    earlier.start();
    earlier.execute("postgres", List.of("CREATE DATABASE coppice"));
    earlier.execute(
        "coppice",
        List.of(
            "CREATE TABLE kept (id bigserial PRIMARY KEY, value text)",
            "INSERT INTO kept (value) VALUES ('of then')",
            "CREATE VIEW seen AS SELECT value FROM kept",
            "CREATE SEQUENCE alone",
            "CREATE SCHEMA \"An other\"",
            "CREATE TABLE \"An other\".\"Kept, too\" (number int GENERATED ALWAYS AS IDENTITY)"));
    return earlier;
  }

  private static void assertKept(EmbeddedPostgres.Server server) throws SQLException {
    assertThat(texts(server, "SELECT value FROM seen")).containsExactly("of then");
    execute(server, "ALTER TABLE kept ADD COLUMN IF NOT EXISTS more text");
    execute(server, "INSERT INTO kept (more) SELECT 'x' WHERE nextval('alone') = 0");
    execute(server, "INSERT INTO \"An other\".\"Kept, too\" DEFAULT VALUES");
    execute(server, "CREATE TABLE IF NOT EXISTS \"An other\".new (a int)");
    execute(server, "CREATE SCHEMA passing; DROP SCHEMA passing");
    assertThat(
            texts(
                server,
                "SELECT relname FROM pg_class WHERE relowner <> 'coppice'::regrole AND oid > 16383"
                    + " AND relnamespace <> 'pg_toast'::regnamespace"))
        .isEmpty();
  }

  private static void assertReachesNothing(EmbeddedPostgres.Server server) throws SQLException {
    for (String statement : REACHING_OUT) {
      assertThatExceptionOfType(SQLException.class)
          .as(statement)
          .isThrownBy(() -> execute(server, statement))
          .satisfies(e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(NOT_PERMITTED));
    }
    assertThat(texts(server, "SELECT rolname FROM pg_roles WHERE rolsuper AND rolcanlogin"))
        .as("superusers that can log in")
        .isEmpty();
  }

  private static void execute(EmbeddedPostgres.Server server, String statement)
      throws SQLException {
    try (Connection connection = connect(server);
        var asked = connection.createStatement()) {
      asked.execute(statement);
    }
  }

  private static List<String> texts(EmbeddedPostgres.Server server, String question)
      throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Connection connection = connect(server);
        var asked = connection.createStatement();
        var rows = asked.executeQuery(question)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  private static Connection connect(EmbeddedPostgres.Server server) throws SQLException {
    return DriverManager.getConnection(server.url(), server.user(), server.password());
  }
}

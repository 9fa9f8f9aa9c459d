package io.coppice.app.tool.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.database.EarlierHome;
import io.coppice.app.database.EmbeddedPostgres;
import io.coppice.engine.check.PoolHead;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.superblock.PoolFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Restores of a backup after a revocation: what they say of it, and what they leave out.
class RestoreTest {

  private static final String TOKEN =
      """
      INSERT INTO api_token VALUES (gen_random_uuid(), '%1$s', 'operator', sha256('%1$s'), now(),
        now() + interval '%2$s')
      """;
  private static final String REGISTRATION =
      """
      INSERT INTO trust_set (id, created, registered, registered_from) VALUES ('%s', now(), now(), 'here')
      """;
  private static final String ROOT =
      "INSERT INTO trust_root VALUES ('%s', %2$d, 'fingerprint %2$d', 'a certificate')";
  private static final String REVOCATIONS =
      "INSERT INTO revocation_list VALUES ('%s', 0, 'a list')";

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private Path home;
  private Path backup;
  private Instant backedUp;
  private List<String> rows;

  @BeforeEach
  void backUpAndLoseTheDatabase() throws IOException, SQLException {
    home = Files.createTempDirectory("coppice-restore");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    backup = home.resolve("coppice.backup");
    Path pool = home.resolve("pool");
    PoolDirectory.create(pool, 256L << 20, PoolFormat.withDefaults(Instant.EPOCH));
    Files.writeString(home.resolve("admin.token"), "of then");
    Files.writeString(home.resolve("vasa.password"), "also of then");
    UUID registration = UUID.randomUUID();
    rows =
        List.of(
            "INSERT INTO pool_link (pool_id, database_id, since) VALUES ('%s', '%s', now())"
                .formatted(PoolHead.read(pool.resolve("pool")).pool(), UUID.randomUUID()),
            TOKEN.formatted("auditor", "1 day"),
            TOKEN.formatted("builder", "1 day"),
            TOKEN.formatted("over long ago", "-1 day"),
            REGISTRATION.formatted(registration),
            ROOT.formatted(registration, 0),
            ROOT.formatted(registration, 1),
            REVOCATIONS.formatted(registration));
    EmbeddedPostgres postgres = new EmbeddedPostgres(home, InstantSource.system());
    fill(postgres.start(), rows);
    postgres.stop();
    assertThat(BackupCommand.run(arguments(), print(), print())).as(this::printed).isZero();
    backedUp = read();
    remove(home.resolve("database"));
    Files.delete(home.resolve("admin.token"));
  }

  @AfterEach
  void remove() throws IOException {
    new EmbeddedPostgres(home, InstantSource.system()).stop();
    remove(home);
  }

  @Test
  void restoreSaysWhatLivesAgain() throws IOException, SQLException {
    assertThat(RestoreCommand.run(arguments(), print(), print())).as(this::printed).isZero();

    assertThat(printed())
        .contains(
            "valid again as of " + backedUp + ", also what was revoked since then",
            "2 API tokens (auditor, builder)",
            "1 registration with 2 root certificates and 1 revocation list of then",
            "--without-tokens");
    assertThat(tokens()).containsExactlyInAnyOrder("auditor", "builder", "over long ago");
    assertThat(home.resolve("admin.token")).hasContent("of then");
  }

  @Test
  void tokensAreLeftOutWhereThatIsAskedFor() throws IOException, SQLException {
    assertThat(RestoreCommand.run(arguments("--without-tokens"), print(), print()))
        .as(this::printed)
        .isZero();

    assertThat(printed())
        .contains(
            "valid again as of " + backedUp,
            "1 registration with 2 root certificates",
            "2 API tokens (auditor, builder) and the file admin.token were left out");
    assertThat(tokens()).isEmpty();
    assertThat(home.resolve("admin.token")).doesNotExist();
  }

  @Test
  void backupOfAnEarlierVersionComesBackForAnAccountThatIsNoSuperuser()
      throws IOException, SQLException {
    Files.delete(backup);
    EarlierHome earlier = new EarlierHome(home);
    earlier.start();
    earlier.execute("postgres", List.of("CREATE DATABASE coppice"));
    fill(earlier.server("coppice"), rows);
    assertThat(BackupCommand.run(arguments(), print(), print())).as(this::printed).isZero();
    earlier.stop();
    remove(home.resolve("database"));

    assertThat(RestoreCommand.run(arguments(), print(), print())).as(this::printed).isZero();

    assertThat(texts("SELECT name FROM api_token")).contains("auditor");
    assertThat(texts("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"))
        .containsExactly("f");
  }

  @Test
  void onlyARestoreLeavesTokensOut() {
    assertThat(BackupCommand.run(arguments("--without-tokens"), print(), print())).isEqualTo(2);
  }

  private static void fill(EmbeddedPostgres.Server server, List<String> rows) throws SQLException {
    Flyway.configure().dataSource(server.url(), server.user(), server.password()).load().migrate();
    try (Connection connection =
            DriverManager.getConnection(server.url(), server.user(), server.password());
        var statement = connection.createStatement()) {
      for (String row : rows) {
        statement.execute(row);
      }
    }
  }

  private List<String> tokens() throws SQLException {
    return texts("SELECT name FROM api_token");
  }

  private List<String> texts(String question) throws SQLException {
    EmbeddedPostgres postgres = new EmbeddedPostgres(home, InstantSource.system());
    EmbeddedPostgres.Server server = postgres.start();
    try (Connection connection =
        DriverManager.getConnection(server.url(), server.user(), server.password())) {
      return new BackupTables(connection).texts(question);
    } finally {
      postgres.stop();
    }
  }

  private Instant read() throws IOException {
    List<Instant> created = new ArrayList<>();
    Archive.read(
        backup,
        (name, in) -> {
          if (name.equals("manifest.json")) {
            created.add(
                Instant.parse(
                    new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .replaceFirst(".*\"created\":\"([^\"]+)\".*", "$1")));
          }
        });
    return created.getFirst();
  }

  private List<String> arguments(String... more) {
    List<String> arguments = new ArrayList<>(List.of(backup.toString(), "--home", home.toString()));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private PrintStream print() {
    return new PrintStream(output, true, StandardCharsets.UTF_8);
  }

  private String printed() {
    return output.toString(StandardCharsets.UTF_8);
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

package io.coppice.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.coppice.app.setting.CoppiceProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that asks for the password in another way than by SCRAM gets none.
class DatabaseLoginTest {

  private static final String EXPECTED =
      "expected a server that asks for the password by scram-sha-256, got one that asks in another"
          + " way";

  private Path home;
  private EmbeddedPostgres postgres;
  private EmbeddedPostgres.Server server;

  @BeforeEach
  void startServer() throws IOException {
    home = Files.createTempDirectory("coppice-login");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    postgres = new EmbeddedPostgres(home, InstantSource.system());
    server = postgres.start();
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
  void serverThatAsksByScramIsUsed() throws Exception {
    assertThat(open(server.url())).startsWith("PostgreSQL ");
    try (Connection connection = access(server.url()).connect()) {
      assertThat(connection.isValid(10)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"trust", "password", "md5"})
  void serverThatAsksInAnotherWayIsRefused(String method) throws Exception {
    askBy(method);

    assertThatExceptionOfType(DatabaseException.class)
        .as("the provider")
        .isThrownBy(() -> open(server.url()))
        .withMessageContaining(EXPECTED)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain(server.password()));
    assertThatExceptionOfType(DatabaseException.class)
        .as("doctor, backup and restore")
        .isThrownBy(() -> access(server.url()).connect())
        .withMessageContaining(EXPECTED);
    assertThatExceptionOfType(SQLException.class)
        .as("the migrations of a restore")
        .isThrownBy(() -> access(server.url()).dataSource().getConnection());
    assertThatExceptionOfType(DatabaseException.class)
        .as("the embedded one")
        .isThrownBy(() -> new EmbeddedPostgres(home, InstantSource.system()).start())
        .withMessageContaining(EXPECTED);
  }

  @Test
  void whoMeansItMaySayInTheUrlThatTheServerAsksOtherwise() throws Exception {
    askBy("trust");

    assertThat(open(server.url() + "?" + DatabaseLogin.METHOD_PROPERTY + "=none"))
        .startsWith("PostgreSQL ");
  }

  private String open(String url) {
    var settings =
        new CoppiceProperties.Database(
            url, server.user(), server.password(), "", true, false, 2, Duration.ofSeconds(5));
    try (var link =
        new DatabaseLink(settings, home, new DeferredDataSource(), InstantSource.system())) {
      return link.open();
    }
  }

  private DatabaseAccess access(String url) {
    return new DatabaseAccess(url, server.user(), server.password());
  }

  /// Has the server ask so from now on.
  private void askBy(String method) throws Exception {
    try (Connection connection = access(server.url()).connect();
        var statement = connection.createStatement()) {
      if (method.equals("md5")) {
        statement.execute("SET password_encryption = 'md5'");
        statement.execute("ALTER ROLE coppice PASSWORD '%s'".formatted(server.password()));
      }
      Path database = home.resolve("database");
      Files.writeString(
          database.resolve("pg_hba.conf"), "host all all 127.0.0.1/32 %s\n".formatted(method));
      String pid = Files.readAllLines(database.resolve("postmaster.pid")).getFirst().strip();
      assertThat(new ProcessBuilder("kill", "-HUP", pid).start().waitFor()).isZero();
    }
    awaitRefused();
  }

  /// The server reads its files in its own time.
  private void awaitRefused() {
    Properties properties = DatabaseLogin.properties(server.user(), server.password());
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (System.nanoTime() < end) {
      try (Connection _ = DriverManager.getConnection(server.url(), properties)) {
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      } catch (SQLException _) {
        return;
      }
    }
    throw new AssertionError("expected the server to ask in another way by now");
  }
}

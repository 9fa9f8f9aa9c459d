package io.coppice.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The log of the embedded server does not grow for ever, whoever wrote it.
class ServerLogTest {

  private static final int MOST = (int) ServerLog.MOST;

  private Path home;
  private Path file;
  private Path older;

  @BeforeEach
  void makeHome() throws IOException {
    home = Files.createTempDirectory("coppice-log");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    file = Files.createDirectory(home.resolve("log")).resolve("postgres.log");
    older = home.resolve("log/postgres.log.1");
  }

  @AfterEach
  void remove() throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Test
  void longLogBecomesTheOlderOneWithItsEndAndTheOneBeforeGoes() throws IOException {
    Files.writeString(older, "the one before");
    write(3 * MOST, 'x', "the newest line\n");

    new ServerLog(file).bound();

    assertThat(file).isEmptyFile();
    assertThat(older).hasSize(MOST);
    assertThat(Files.readString(older)).endsWith("the newest line\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(older)))
        .isEqualTo("rw-------");
    assertThat(home.resolve("log")).isDirectoryNotContaining("glob:**.partial");
  }

  @Test
  void shortLogStays() throws IOException {
    write(MOST - 4, 'x', "end\n");

    new ServerLog(file).bound();
    new ServerLog(home.resolve("log/none.log")).bound();

    assertThat(file).hasSize(MOST);
    assertThat(older).doesNotExist();
  }

  @Test
  void serverGoesOnWritingIntoTheFileThatWasShortenedUnderIt() throws Exception {
    write(2 * MOST, 'x', "of an earlier version\n");
    EmbeddedPostgres postgres = new EmbeddedPostgres(home, InstantSource.system());
    try {
      EmbeddedPostgres.Server server = postgres.start();
      assertThat(Files.size(file)).as("after a start").isLessThan(MOST);
      assertThat(Files.readString(older)).endsWith("of an earlier version\n");
      write(MOST, 'y', "\n");

      postgres.boundLog();
      try (Connection connection =
              DriverManager.getConnection(server.url(), server.user(), server.password());
          var statement = connection.createStatement()) {
        statement.execute("DO $$ BEGIN RAISE LOG 'still heard'; END $$");
      }

      assertThat(Files.readString(file)).contains("still heard").doesNotContain("\0");
      assertThat(Files.size(file)).isLessThan(10_000);
      assertThat(older).hasSize(MOST);
    } finally {
      postgres.stop();
    }
  }

  private void write(int size, char filling, String end) throws IOException {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) filling);
    Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Files.write(file, end.getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
  }
}

package io.coppice.it;

import io.coppice.app.database.EmbeddedPostgres;
import io.coppice.engine.files.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.flywaydb.core.Flyway;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/// Release 0.1.0 as a kill has left it: its pool, the rows of its database, its secrets and its
/// settings, kept as text. It was closed in order once, then used again, then killed.
///
/// The schema comes from the migrations that 0.1.0 had; the rows hold their checksums, by which
/// Flyway refuses one that was changed since.
final class EarlierRelease {

  /// The newest version of the schema that 0.1.0 knows.
  static final String SCHEMA = "75";

  /// The token with the role `operator`.
  static final String TOKEN = "fTyh7cvSLY2qWmREvZmr9WCWXR9tsXk7Nc1acv86VFw";

  static final String LEDGER = "54c2a647-9ba9-4e36-83d2-2fb7e2a9b10c";
  static final String SCRATCH = "14443ee0-581f-4268-8eab-bec75a1c8918";
  static final String COPY = "0b5db1ef-720a-4011-8411-4d408329bb9d";
  static final String MONDAY = "a55e40ad-3b36-4173-b415-aae9ed644970";
  static final String TUESDAY = "c7ab306f-6fae-4c39-b29d-e7a9376a25e2";

  /// The initiator of the exports, and one that may use [#SCRATCH] by a CHAP secret.
  static final String INITIATOR = "iqn.2008-11.org.linux-kvm";

  static final String SECOND = "iqn.2026-11.example:second";
  static final String SECRET = "a secret of 0.1.0";

  private static final String FOLDER = "/release-0.1.0/";

  private EarlierRelease() {}

  /// The settings that 0.1.0 had: every one of them, with its default.
  static Path settings() {
    try {
      return Path.of(
          Objects.requireNonNull(EarlierRelease.class.getResource(FOLDER + "application.yaml"))
              .toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Makes the home; its database is not running afterwards.
  static void restore(Path home) throws IOException, SQLException {
    restoreFiles(home);
    var postgres = new EmbeddedPostgres(home, InstantSource.system());
    EmbeddedPostgres.Server server = postgres.start();
    try {
      restoreRows(server.url(), server.user(), server.password());
    } finally {
      postgres.stop();
    }
  }

  /// Makes the home without a database.
  static void restoreFiles(Path home) throws IOException {
    OwnerOnly.createDirectories(home);
    unpackSecrets(home);
    writePool(OwnerOnly.createDirectories(home.resolve("pool")).resolve("pool"));
  }

  /// Fills an empty database.
  static void restoreRows(String url, String user, String password)
      throws IOException, SQLException {
    Flyway.configure().dataSource(url, user, password).target(SCHEMA).load().migrate();
    try (Connection connection = DriverManager.getConnection(url, user, password)) {
      fill(connection);
    }
  }

  static Connection connect(EmbeddedPostgres.Server server) throws SQLException {
    return DriverManager.getConnection(server.url(), server.user(), server.password());
  }

  private static InputStream open(String file) {
    return Objects.requireNonNull(EarlierRelease.class.getResourceAsStream(FOLDER + file), file);
  }

  private static InputStream decoded(String file) throws IOException {
    try (InputStream in = open(file)) {
      return new ByteArrayInputStream(Base64.getMimeDecoder().decode(in.readAllBytes()));
    }
  }

  private static void unpackSecrets(Path home) throws IOException {
    try (var zip = new ZipInputStream(decoded("home.zip.base64"))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = home.resolve(entry.getName());
        OwnerOnly.createDirectories(file.getParent());
        Files.write(OwnerOnly.createFile(file), zip.readAllBytes());
      }
    }
  }

  /// The text holds the size of the pool, then its parts that are not zeros: offset, length, bytes.
  private static void writePool(Path pool) throws IOException {
    try (var in = new DataInputStream(new GZIPInputStream(decoded("pool.gz.base64")));
        var out = FileChannel.open(OwnerOnly.createFile(pool), StandardOpenOption.WRITE)) {
      long size = in.readLong();
      out.write(ByteBuffer.allocate(1), size - 1);
      while (true) {
        byte[] position = in.readNBytes(Long.BYTES);
        if (position.length == 0) {
          return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(in.readNBytes(in.readInt()));
        long at = ByteBuffer.wrap(position).getLong();
        while (bytes.hasRemaining()) {
          at += out.write(bytes, at);
        }
      }
    }
  }

  private record Rows(String command, String lines) {

    String table() {
      return command.split(" ")[1];
    }
  }

  /// Messages and objects of its events, in their order.
  static List<String> events() throws IOException {
    return rows().stream()
        .filter(rows -> rows.table().equals("event"))
        .flatMap(rows -> rows.lines().lines())
        .map(line -> line.split("\t"))
        .map(columns -> columns[6] + " " + columns[5])
        .toList();
  }

  private static void fill(Connection connection) throws IOException, SQLException {
    List<Rows> tables = rows();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (Rows rows : tables.reversed()) { // those that the migrations put there
        statement.executeUpdate("DELETE FROM " + rows.table());
      }
    }
    CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
    for (Rows rows : tables) {
      copies.copyIn(rows.command(), new StringReader(rows.lines()));
    }
    connection.commit();
  }

  private static List<Rows> rows() throws IOException {
    try (InputStream in = open("database.copy")) {
      List<Rows> tables = new ArrayList<>();
      for (String part :
          new String(in.readAllBytes(), StandardCharsets.UTF_8).split("(?m)^\\\\\\.\n")) {
        int end = part.indexOf('\n');
        tables.add(new Rows(part.substring(0, end), part.substring(end + 1)));
      }
      return tables;
    }
  }
}

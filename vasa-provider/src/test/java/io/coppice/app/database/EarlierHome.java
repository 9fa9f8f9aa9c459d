package io.coppice.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.certificate.SecretFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// A home as versions made it that logged in as the superuser `coppice`.
public final class EarlierHome {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String PASSWORD = "of an earlier version";

  private final Path data;
  private final Programs programs;
  private int port;

  /// @param home in which the programs are unpacked already
  public EarlierHome(Path home) throws IOException {
    this.data = home.resolve("database");
    try (Stream<Path> unpacked = Files.list(home.resolve("postgres"))) {
      Path binaries = unpacked.findFirst().orElseThrow();
      ServerAccount account = ServerAccount.choose(home, binaries);
      this.programs = new Programs(binaries, account, home.resolve("log/postgres.log"));
      Path password = home.resolve("database.password");
      SecretFile.write(password, PASSWORD);
      account.own(password);
      Files.createDirectory(data);
      account.own(data);
      run(
          "initdb",
          "-D",
          data.toString(),
          "-U",
          "coppice",
          "--auth=scram-sha-256",
          "--pwfile=" + password,
          "--encoding=UTF8",
          "--locale=C");
    }
    Files.writeString(
        data.resolve("postgresql.conf"),
        "\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n",
        StandardOpenOption.APPEND);
  }

  private void run(String name, String... arguments) {
    Programs.Outcome outcome = programs.run(PATIENCE, name, arguments);
    assertThat(outcome.ok()).as(name + ": " + outcome.lastLine()).isTrue();
  }

  Path data() {
    return data;
  }

  Programs programs() {
    return programs;
  }

  public void start() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    run("pg_ctl", "start", "-w", "-D", data.toString(), "-o", "-p " + port);
  }

  public void stop() {
    run("pg_ctl", "stop", "-w", "-D", data.toString());
  }

  /// Where the server is that was started.
  public EmbeddedPostgres.Server server(String database) {
    return new EmbeddedPostgres.Server(
        "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, database), "coppice", PASSWORD, true);
  }

  public void execute(String database, List<String> statements) throws SQLException {
    EmbeddedPostgres.Server server = server(database);
    try (Connection connection =
            DriverManager.getConnection(server.url(), server.user(), server.password());
        var asked = connection.createStatement()) {
      for (String statement : statements) {
        asked.execute(statement);
      }
    }
  }
}

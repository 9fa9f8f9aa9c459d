package io.coppice.app.tool.backup;

import io.coppice.app.Application;
import io.coppice.app.database.DatabaseAccess;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.tool.trail.ToolRecord;
import io.coppice.vasa.audit.Detail;
import io.coppice.vasa.audit.Outcome;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.json.JsonMapper;

/// The command `backup FILE`. It saves what the pool does not hold, as of one moment, whether a
/// provider runs or not.
public final class BackupCommand {

  private BackupCommand() {}

  /// @return the exit status
  public static int run(List<String> args, PrintStream out, PrintStream err) {
    return new CommandLine("backup").run(args, out, err, BackupCommand::recorded);
  }

  /// Backs up, and leaves a record for the audit trail, also of what was refused. A home that
  /// cannot take it, as on a full disk, does not make the backup worthless: a sentence says so.
  private static List<String> recorded(CommandLine.Request request)
      throws IOException, SQLException {
    List<String> done = new ArrayList<>();
    Outcome outcome = Outcome.FAILED;
    try {
      done.addAll(backUp(request));
      outcome = Outcome.DONE;
    } catch (BackupRefusedException e) {
      outcome = Outcome.REFUSED;
      throw e;
    } finally {
      leave(request, outcome).ifPresent(done::add);
    }
    return done;
  }

  private static Optional<String> leave(CommandLine.Request request, Outcome outcome) {
    try {
      ToolRecord.leave(
          request.home(),
          ToolRecord.of(
              "backup", outcome, List.of(Detail.asked("file", request.file().toString()))));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("the audit trail has no entry about this backup: " + e);
    }
  }

  private static List<String> backUp(CommandLine.Request request) throws IOException, SQLException {
    Path file = request.file();
    Path home = request.home();
    CoppiceProperties settings = request.settings();
    if (Files.exists(file)) {
      throw new BackupRefusedException(
          "Expected a file that does not exist yet, got %s.".formatted(file));
    }
    if (settings.database().embedded() && !DatabaseAccess.exists(home)) {
      throw new BackupRefusedException("There is no database in %s.".formatted(home));
    }
    HomeFiles files = HomeFiles.read(home);
    try (OpenDatabase database = OpenDatabase.of(settings, home)) {
      Connection connection = database.connection();
      connection.setAutoCommit(false);
      connection.setReadOnly(true);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      Manifest manifest = manifest(connection, files);
      Archive.write(file, zip -> content(zip, manifest, connection, files));
      connection.rollback();
      return List.of(
          "backed up %d rows of %d tables and %d files of pool %s in %s; it holds secrets (mode 0600)%s"
              .formatted(
                  manifest.rows(),
                  manifest.tables().size(),
                  manifest.files().size(),
                  manifest.pool(),
                  file,
                  files.missing().isEmpty()
                      ? ""
                      : "; not in it, because the home has none: "
                          + String.join(", ", files.missing())));
    }
  }

  private static Manifest manifest(Connection connection, HomeFiles files) throws SQLException {
    var tables = new BackupTables(connection);
    List<String> names = tables.inOrder();
    List<String> link =
        names.contains("pool_link")
            ? tables.texts("SELECT pool_id || ' ' || database_id FROM pool_link")
            : List.of();
    if (link.isEmpty()) {
      throw new BackupRefusedException(
          "The database belongs to no pool yet: there is nothing to back up.");
    }
    String[] ids = link.getFirst().split(" ");
    List<Manifest.Table> content = new ArrayList<>();
    for (String name : names) {
      content.add(new Manifest.Table(name, tables.columns(name), tables.count(name)));
    }
    String schema =
        tables
            .texts(
                """
                SELECT max(version::int) FROM flyway_schema_history
                WHERE success AND version IS NOT NULL
                """)
            .getFirst();
    return new Manifest(
        Application.version(),
        Integer.parseInt(schema),
        UUID.fromString(ids[0]),
        UUID.fromString(ids[1]),
        Clock.systemUTC().instant(),
        content,
        List.copyOf(files.content().keySet()));
  }

  private static void content(
      ZipOutputStream zip, Manifest manifest, Connection connection, HomeFiles files)
      throws IOException {
    Archive.entry(
        zip,
        "manifest.json",
        out -> out.write(JsonMapper.builder().build().writeValueAsBytes(manifest)));
    var tables = new BackupTables(connection);
    for (Manifest.Table table : manifest.tables()) {
      Archive.entry(
          zip,
          "tables/" + table.name() + ".csv",
          out -> {
            try {
              tables.copyOut(table.name(), table.columns(), Archive.unclosable(out));
            } catch (SQLException e) {
              throw new IOException(e.getMessage(), e);
            }
          });
    }
    for (Map.Entry<String, byte[]> file : files.content().entrySet()) {
      Archive.entry(zip, "files/" + file.getKey(), out -> out.write(file.getValue()));
    }
  }
}

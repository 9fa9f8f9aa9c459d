package io.coppice.app.tool.backup;

import io.coppice.app.database.DatabaseAccess;
import io.coppice.app.database.SchemaVersion;
import io.coppice.app.pool.PoolLock;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.tool.trail.ToolRecord;
import io.coppice.engine.check.PoolHead;
import io.coppice.engine.check.finding.NotCheckable;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.files.OwnerOnly;
import io.coppice.vasa.audit.Detail;
import io.coppice.vasa.audit.Outcome;
import io.coppice.vasa.certificate.SecretFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The command `restore FILE`. It puts a backup into an empty database, beside the pool that it
/// belongs to. It checks everything before the first change. The rows come in one transaction, and
/// tokens that are to be left out are gone before its end.
public final class RestoreCommand {

  private static final String TABLES = "tables/";
  private static final String FILES = "files/";
  private static final String WITHOUT_TOKENS = "--without-tokens";
  private static final String ADMIN_TOKEN = "admin.token";

  private RestoreCommand() {}

  /// @return the exit status
  public static int run(List<String> args, PrintStream out, PrintStream err) {
    return new CommandLine("restore", WITHOUT_TOKENS).run(args, out, err, RestoreCommand::recorded);
  }

  /// Restores, and leaves a record for the audit trail, also of what was refused.
  private static List<String> recorded(CommandLine.Request request)
      throws IOException, SQLException {
    Outcome outcome = Outcome.FAILED;
    try {
      List<String> done = restore(request);
      outcome = Outcome.DONE;
      return done;
    } catch (BackupRefusedException e) {
      outcome = Outcome.REFUSED;
      throw e;
    } finally {
      ToolRecord.leave(
          request.home(),
          ToolRecord.of(
              "restore",
              outcome,
              List.of(
                  Detail.asked("file", request.file().toString()),
                  Detail.asked("flags", String.join(" ", request.flags())))));
    }
  }

  private static List<String> restore(CommandLine.Request request)
      throws IOException, SQLException {
    Path file = request.file();
    CoppiceProperties settings = request.settings();
    Manifest manifest = manifest(file);
    if (manifest.schema() > SchemaVersion.newest()) {
      throw new BackupRefusedException(
          "The backup's schema has version %d, but this Coppice (%d at most) does not know it: use the one that made it (%s) or a newer one."
              .formatted(manifest.schema(), SchemaVersion.newest(), manifest.coppice()));
    }
    requirePool(settings, manifest);
    try (OpenDatabase database = OpenDatabase.of(settings, request.home())) {
      Connection connection = database.connection();
      requireEmpty(connection, manifest);
      migrate(database.access(), manifest.schema());
      connection.setAutoCommit(false);
      long rows = rows(file, manifest, connection);
      var tables = new BackupTables(connection);
      RestoredAccess revived = RestoredAccess.of(tables, manifest);
      String leftOut = "";
      if (request.flags().contains(WITHOUT_TOKENS)) {
        rows -= leaveTokensOut(tables, manifest);
        leftOut =
            revived.names()
                + (missing(manifest, request.home()) ? " and the file " + ADMIN_TOKEN : "");
      }
      List<String> written = files(file, request.home(), leftOut.isEmpty());
      connection.commit();
      return List.of(
          "restored %d rows of %d tables and the files %s of the backup of %s; start with \"./coppice up\""
              .formatted(rows, manifest.tables().size(), written, manifest.created()),
          revived.sentence(manifest.created(), leftOut));
    }
  }

  /// @return number of rows
  private static long leaveTokensOut(BackupTables tables, Manifest manifest) throws SQLException {
    long rows = manifest.rows(RestoredAccess.TOKENS);
    if (rows > 0) {
      tables.clear(RestoredAccess.TOKENS);
    }
    return rows;
  }

  /// Whether the administrator's token would come from the backup.
  private static boolean missing(Manifest manifest, Path home) {
    return manifest.files().contains(ADMIN_TOKEN) && !Files.exists(home.resolve(ADMIN_TOKEN));
  }

  private static Manifest manifest(Path file) throws IOException {
    var found = new AtomicReference<@Nullable Manifest>();
    try {
      Archive.read(
          file,
          (name, in) -> {
            if (name.equals("manifest.json")) {
              found.set(JsonMapper.builder().build().readValue(in.readAllBytes(), Manifest.class));
            }
          });
    } catch (JacksonException e) {
      throw new BackupRefusedException(
          "The backup's manifest cannot be read: " + e.getMessage(), e);
    }
    Manifest manifest = found.get();
    if (manifest == null) {
      throw new BackupRefusedException(
          "Expected a manifest in the backup %s, found none.".formatted(file));
    }
    return manifest;
  }

  private static void requirePool(CoppiceProperties settings, Manifest manifest) {
    Path pool = settings.poolDirectory().toAbsolutePath().normalize();
    if (PoolLock.of(pool.resolve("lock"), true).held()) {
      throw new BackupRefusedException(
          "The pool in %s is open: stop the provider before a restore.".formatted(pool));
    }
    try {
      PoolHead head = PoolHead.read(pool.resolve("pool"));
      if (!head.pool().equals(manifest.pool())) {
        throw new BackupRefusedException(
            "The backup belongs to the pool %s, but in %s is the pool %s."
                .formatted(manifest.pool(), pool, head.pool()));
      }
    } catch (NotCheckable | DeviceException e) {
      throw new BackupRefusedException(
          "Expected the pool %s in %s, to which the backup belongs: %s"
              .formatted(manifest.pool(), pool, e.getMessage()),
          e);
    }
  }

  /// Requires an empty database. Rows that the migrations themselves put into it do not count.
  private static void requireEmpty(Connection connection, Manifest manifest) throws SQLException {
    var tables = new BackupTables(connection);
    List<String> there =
        tables.texts("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()");
    if (there.contains("pool_link") && tables.count("pool_link") > 0) {
      throw new BackupRefusedException(
          "Expected an empty database for the backup of pool %s, got the one of pool %s."
              .formatted(
                  manifest.pool(), tables.texts("SELECT pool_id FROM pool_link").getFirst()));
    }
    if (!there.isEmpty() && !there.contains("flyway_schema_history")) {
      throw new BackupRefusedException(
          "Expected an empty database, got one with the tables %s.".formatted(there));
    }
    List<String> applied =
        there.isEmpty()
            ? List.of()
            : tables.texts(
                "SELECT version FROM flyway_schema_history WHERE version::int > "
                    + manifest.schema());
    if (!applied.isEmpty()) {
      throw new BackupRefusedException(
          "Expected a database without tables, or with the schema of version %d that the backup has, got version %s."
              .formatted(manifest.schema(), applied.getLast()));
    }
  }

  private static void migrate(DatabaseAccess access, int schema) {
    try {
      Flyway.configure()
          .dataSource(access.dataSource())
          .target(Integer.toString(schema))
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new BackupRefusedException("The schema cannot be made: " + e.getMessage(), e);
    }
  }

  private static long rows(Path file, Manifest manifest, Connection connection)
      throws IOException, SQLException {
    var tables = new BackupTables(connection);
    List<String> known = tables.inOrder();
    for (Manifest.Table table : manifest.tables().reversed()) {
      if (!known.contains(table.name())) {
        throw new BackupRefusedException(
            "The backup has a table %s that schema %d has not."
                .formatted(table.name(), manifest.schema()));
      }
      tables.clear(table.name());
    }
    Archive.read(
        file,
        (name, in) -> {
          if (name.startsWith(TABLES)) {
            copyIn(tables, table(manifest, name), in);
          }
        });
    return manifest.rows();
  }

  private static void copyIn(BackupTables tables, Manifest.Table table, InputStream in)
      throws IOException {
    try {
      long rows = tables.copyIn(table.name(), table.columns(), in);
      if (rows != table.rows()) {
        throw new BackupRefusedException(
            "Expected %d rows of %s in the backup, got %d."
                .formatted(table.rows(), table.name(), rows));
      }
      tables.advanceCounters(table.name(), table.columns());
    } catch (SQLException e) {
      throw new IOException("%s: %s".formatted(table.name(), e.getMessage()), e);
    }
  }

  private static Manifest.Table table(Manifest manifest, String entry) {
    String name = entry.substring(TABLES.length()).replaceFirst("\\.csv$", "");
    return manifest.tables().stream()
        .filter(table -> table.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new BackupRefusedException(
                    "The backup's manifest has no table %s.".formatted(name)));
  }

  /// Restores the missing files. Existing ones stay.
  ///
  /// @param token whether to restore the administrator's token; if not, the next start makes one
  private static List<String> files(Path file, Path home, boolean token) throws IOException {
    List<String> written = new ArrayList<>();
    Archive.read(
        file,
        (name, in) -> {
          String path = name.startsWith(FILES) ? name.substring(FILES.length()) : "";
          Path target = home.resolve(path);
          boolean wanted = token || !path.equals(ADMIN_TOKEN);
          if (wanted && HomeFiles.NAMES.contains(path) && !Files.exists(target)) {
            OwnerOnly.createDirectories(Objects.requireNonNull(target.getParent()));
            SecretFile.write(
                target, new String(in.readAllBytes(), StandardCharsets.UTF_8).stripTrailing());
            written.add(path);
          }
        });
    return written;
  }
}

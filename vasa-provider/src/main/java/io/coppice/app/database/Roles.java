package io.coppice.app.database;

import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The roles of the embedded server. The product logs in as `coppice`, which owns its database and
/// is no superuser. `coppice_bootstrap` is the superuser that every server has; nobody can log in
/// as that.
///
/// A superuser runs programs and reads and writes files on the machine (`COPY … TO PROGRAM`) as the
/// account that runs the server. In the user namespace in which root runs it these are root's own
/// files. Earlier versions logged in as the superuser. `initdb` still makes it under the name
/// `coppice`, with the password. The steps below follow in each new folder, before that gets its
/// name, and in a folder of an earlier version at its next start.
///
/// Each step is done by a server in single-user mode while no other runs on the folder. The steps,
/// and what a crash leaves:
///
/// 1. The database is made if there is none. A crash leaves it with the superuser as its owner, as
///    in an earlier version.
/// 2. One transaction does everything else. A crash before its commit leaves the state as it was;
///    the next start finds a superuser and does it again. After the commit nothing is left to do.
///
/// The superuser that `initdb` made cannot lose that quality, owns the system's tables, and cannot
/// rename itself. So another superuser, which no other transaction sees, renames it. The new
/// `coppice` takes over its verifier, so that no password is written anywhere.
final class Roles {

  static final String USER = "coppice";
  static final String DATABASE = "coppice";

  private static final Logger log = LoggerFactory.getLogger(Roles.class);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final List<String> CREATE = List.of("CREATE DATABASE coppice OWNER coppice");

  /// Objects that are in no schema of the system's and belong to no extension. Sequences of columns
  /// follow their table.
  private static final String OWNED =
      """
      DO $$ DECLARE change text; BEGIN FOR change IN
       SELECT format('ALTER SCHEMA %I OWNER TO coppice', nspname) FROM pg_namespace
        WHERE nspowner = 10 AND nspname !~ '^pg_' AND nspname <> 'information_schema'
       UNION ALL
       SELECT format('ALTER TABLE %s OWNER TO coppice', c.oid::regclass)
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE relowner = 10 AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
          AND nspname !~ '^pg_' AND nspname <> 'information_schema'
          AND NOT EXISTS (SELECT FROM pg_depend d
                WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
                  AND (d.deptype = 'e' OR (relkind = 'S' AND d.deptype IN ('a', 'i'))))
       LOOP EXECUTE change; END LOOP; END $$
      """;

  /// The statements, one in each element. `SHOW data_directory` needs the grant.
  static final List<String> SETTLE =
      List.of(
          "BEGIN",
          "CREATE ROLE coppice_interim SUPERUSER",
          "SET SESSION AUTHORIZATION coppice_interim",
          "ALTER ROLE coppice RENAME TO coppice_bootstrap",
          "SET SESSION AUTHORIZATION coppice_bootstrap",
          "DROP ROLE coppice_interim",
          """
          DO $$ BEGIN EXECUTE format('CREATE ROLE coppice LOGIN PASSWORD %L',
            (SELECT rolpassword FROM pg_authid WHERE oid = 10)); END $$
          """,
          "ALTER ROLE coppice_bootstrap NOLOGIN PASSWORD NULL",
          "GRANT pg_read_all_settings TO coppice",
          "ALTER DATABASE coppice OWNER TO coppice",
          OWNED,
          "COMMIT");

  private Roles() {}

  /// Findings of a connection as `coppice`.
  ///
  /// @param superuser whether `coppice` is one
  /// @param database whether there is its database
  record Found(boolean superuser, boolean database) {

    boolean settled() {
      return !superuser && database;
    }
  }

  /// Asks over a connection as `coppice`.
  static Found find(Statement statement) throws SQLException {
    try (var result =
        statement.executeQuery(
            """
            SELECT rolsuper, EXISTS (SELECT FROM pg_database WHERE datname = 'coppice')
            FROM pg_roles WHERE rolname = current_user
            """)) {
      result.next();
      return new Found(result.getBoolean(1), result.getBoolean(2));
    }
  }

  /// Takes the steps that are left. No server runs on the folder.
  ///
  /// @throws DatabaseException if that is not possible; then nothing but the database was made
  static void settle(Programs programs, Path data, Found found) {
    if (!found.database()) {
      run(programs, data, "postgres", CREATE);
    }
    if (found.superuser()) {
      run(programs, data, DATABASE, SETTLE);
      if (found.database()) {
        log.atInfo().log("the account coppice of the embedded database is no superuser any more");
      }
    }
  }

  /// Runs statements, one per line in single-user mode, which ends with the first failure.
  static void run(Programs programs, Path data, String database, List<String> statements) {
    StringBuilder lines = new StringBuilder();
    for (String statement : statements) {
      lines.append(statement.strip().replace('\n', ' ')).append('\n');
    }
    Programs.Outcome outcome =
        programs.feed(
            PATIENCE,
            lines.toString(),
            "postgres",
            "--single",
            "-D",
            data.toString(),
            "-c",
            "exit_on_error=on",
            // The last line names the failure, and the log gets no statement.
            "-c",
            "log_checkpoints=off",
            "-c",
            "log_min_error_statement=panic",
            "-c",
            "log_error_verbosity=terse",
            database);
    if (!outcome.ok()) {
      throw new DatabaseException(
          "The roles of the embedded PostgreSQL in %s cannot be set up: \"%s\"."
              .formatted(data, outcome.lastLine()));
    }
  }
}

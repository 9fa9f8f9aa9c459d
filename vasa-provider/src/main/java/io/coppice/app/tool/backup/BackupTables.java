package io.coppice.app.tool.backup;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/// The tables of a database that a backup holds. Left out are tables whose rows come from the pool
/// or are about work under way, and tables that point to these.
final class BackupTables {

  /// Tables that a restored database must not believe. The pool's volumes, bindings and schedules
  /// may have changed since, and an operation that "has begun" would be undone long after it ended.
  private static final Set<String> LEFT_OUT =
      Set.of(
          "flyway_schema_history",
          "operation",
          "task",
          "volume",
          "volume_metadata",
          "snapshot_schedule",
          "idempotent_request");

  private static final String FORM = " (FORMAT csv, HEADER)";

  private final Connection connection;

  BackupTables(Connection connection) {
    this.connection = connection;
  }

  /// Names of tables, each behind the tables that it points to.
  List<String> inOrder() throws SQLException {
    Set<String> wanted =
        new TreeSet<>(
            texts(
                """
                SELECT tablename FROM pg_tables WHERE schemaname = current_schema()
                """));
    Map<String, Set<String>> pointsTo = pointsTo();
    wanted.removeAll(LEFT_OUT);
    boolean shrinks = true;
    while (shrinks) {
      shrinks =
          wanted.removeIf(
              table ->
                  pointsTo.getOrDefault(table, Set.of()).stream()
                      .anyMatch(to -> !wanted.contains(to)));
    }
    List<String> ordered = new ArrayList<>();
    while (!wanted.isEmpty()) {
      List<String> next =
          wanted.stream()
              .filter(table -> ordered.containsAll(pointsTo.getOrDefault(table, Set.of())))
              .toList();
      if (next.isEmpty()) {
        throw new SQLException("the tables %s point to each other in a circle".formatted(wanted));
      }
      ordered.addAll(next);
      next.forEach(wanted::remove);
    }
    return ordered;
  }

  private Map<String, Set<String>> pointsTo() throws SQLException {
    Map<String, Set<String>> found = new HashMap<>();
    try (var statement = connection.createStatement();
        var result =
            statement.executeQuery(
                """
                SELECT a.relname, b.relname FROM pg_constraint c
                JOIN pg_class a ON a.oid = c.conrelid JOIN pg_class b ON b.oid = c.confrelid
                WHERE c.contype = 'f' AND c.conrelid <> c.confrelid
                  AND c.connamespace = current_schema()::regnamespace
                """)) {
      while (result.next()) {
        found.computeIfAbsent(result.getString(1), _ -> new HashSet<>()).add(result.getString(2));
      }
    }
    return found;
  }

  /// Columns that hold values of their own, as opposed to computed ones.
  List<String> columns(String table) throws SQLException {
    return texts(
        """
        SELECT column_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = ? AND is_generated = 'NEVER'
        ORDER BY ordinal_position
        """,
        table);
  }

  long count(String table) throws SQLException {
    return Long.parseLong(texts("SELECT count(*) FROM " + quoted(table)).getFirst());
  }

  void copyOut(String table, List<String> columns, OutputStream out)
      throws SQLException, IOException {
    copies().copyOut("COPY %s (%s) TO STDOUT".formatted(quoted(table), list(columns)) + FORM, out);
  }

  /// @return number of rows
  long copyIn(String table, List<String> columns, InputStream in) throws SQLException, IOException {
    return copies()
        .copyIn("COPY %s (%s) FROM STDIN".formatted(quoted(table), list(columns)) + FORM, in);
  }

  /// Empties a table of the rows that the migrations put there.
  void clear(String table) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.executeUpdate("DELETE FROM " + quoted(table));
    }
  }

  /// Moves the counters of columns beyond the restored rows.
  void advanceCounters(String table, List<String> columns) throws SQLException {
    for (String column : columns) {
      try (var statement =
          connection.prepareStatement(
              """
              SELECT setval(s, coalesce((SELECT max(%s)::bigint FROM %s), 0) + 1, false)
              FROM pg_get_serial_sequence(?, ?) AS s WHERE s IS NOT NULL
              """
                  .formatted("t." + quoted(column), quoted(table) + " t"))) {
        if (isCounting(table, column)) {
          statement.setString(1, quoted(table));
          statement.setString(2, column);
          statement.execute();
        }
      }
    }
  }

  private boolean isCounting(String table, String column) throws SQLException {
    return !texts(
            "SELECT s FROM pg_get_serial_sequence(?, ?) AS s WHERE s IS NOT NULL",
            quoted(table),
            column)
        .isEmpty();
  }

  private CopyManager copies() throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }

  List<String> texts(String question, String... parameters) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (var statement = connection.prepareStatement(question)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (var result = statement.executeQuery()) {
        while (result.next()) {
          texts.add(result.getString(1));
        }
      }
    }
    return texts;
  }

  private static String list(Collection<String> columns) {
    return String.join(", ", columns.stream().map(BackupTables::quoted).toList());
  }

  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}

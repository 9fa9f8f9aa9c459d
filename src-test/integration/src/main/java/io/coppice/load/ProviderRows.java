package io.coppice.load;

import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The provider's embedded database, read past the provider.
public final class ProviderRows implements AutoCloseable {

  /// Those in the recycle bin or out of use are left out: for hosts they do not exist.
  private static final String VOLUMES =
      """
      select id, state, parent_id, name.value as name
        from volume left join volume_metadata name on name.volume_id = id and key = 'VMW_VVolName'
       where state not in ('BINNED', 'CARRIER')
      """;

  private final Connection connection;

  private ProviderRows(Connection connection) {
    this.connection = connection;
  }

  /// Connects to the server that runs on `home`.
  public static ProviderRows of(Path home) {
    try {
      String port = Files.readAllLines(home.resolve("database/postmaster.pid")).get(3).strip();
      String password = Files.readString(home.resolve("database.password")).strip();
      return new ProviderRows(
          DriverManager.getConnection(
              "jdbc:postgresql://127.0.0.1:%s/coppice".formatted(port), "coppice", password));
    } catch (IOException | SQLException e) {
      throw new Mismatch("expected a database in %s: %s".formatted(home, e.getMessage()), e);
    }
  }

  /// Process id of the server that runs on `home`.
  public static long serverPid(Path home) throws IOException {
    return Long.parseLong(
        Files.readAllLines(home.resolve("database/postmaster.pid")).getFirst().strip());
  }

  @FunctionalInterface
  private interface Row {
    void take(ResultSet row) throws SQLException;
  }

  private void each(String query, Row action) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        action.take(rows);
      }
    } catch (SQLException e) {
      throw new Mismatch("%s: %s".formatted(query.strip(), e.getMessage()), e);
    }
  }

  /// Volumes as the rows say.
  ///
  /// @param bindings those of the same moment, which have no rows
  Ledger.Seen seen(ServedBindings bindings) {
    Map<String, String> ready = new HashMap<>();
    Map<String, String> prepared = new HashMap<>();
    each(
        VOLUMES,
        row -> {
          String id = "rfc4122." + row.getString("id");
          String name = row.getString("name");
          if (row.getString("state").equals("READY")) {
            ready.put(id, name == null ? "" : name);
          } else {
            prepared.put(id, "rfc4122." + row.getString("parent_id"));
          }
        });
    return new Ledger.Seen(ready, prepared, bindings.counts());
  }

  /// What no start and no quiet moment may leave behind, one sentence each.
  List<String> leftovers() {
    List<String> found = new ArrayList<>();
    each(
        "select kind, volume_id from operation",
        row ->
            found.add(
                "operation without an end: %s of %s"
                    .formatted(row.getString(1), row.getString(2))));
    each(
        "select id from task where finished_at is null",
        row -> found.add("task without an end: " + row.getString(1)));
    each(
        "select id from volume where state = 'CREATING'",
        row -> found.add("half-made volume: " + row.getString(1)));
    each(
        "select message_id, object_id from event where message_id in"
            + " ('io.coppice.event.VolumeAdopted', 'io.coppice.event.VolumeForgotten')",
        row ->
            found.add(
                "rows and pool differed at a start: %s %s"
                    .formatted(row.getString(1), row.getString(2))));
    return found;
  }

  /// How many events of each kind there are.
  Map<String, Integer> events() {
    Map<String, Integer> counts = new HashMap<>();
    each(
        "select message_id, count(*) from event group by message_id",
        row -> counts.put(row.getString(1), row.getInt(2)));
    return counts;
  }

  /// Runs a statement that has no answer.
  public void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new Mismatch("%s: %s".formatted(sql, e.getMessage()), e);
    }
  }

  /// The answer of a query, one line for each row, columns apart by tabs.
  public List<String> lines(String query) {
    List<String> lines = new ArrayList<>();
    each(
        query,
        row -> {
          List<String> cells = new ArrayList<>();
          for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            cells.add(String.valueOf(row.getString(i)));
          }
          lines.add(String.join("\t", cells));
        });
    return lines;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new Mismatch("the database connection: " + e.getMessage(), e);
    }
  }
}

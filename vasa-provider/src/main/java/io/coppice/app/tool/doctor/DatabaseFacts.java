package io.coppice.app.tool.doctor;

import io.coppice.app.database.DatabaseAccess;
import io.coppice.app.database.DatabaseException;
import io.coppice.app.setting.CoppiceProperties;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The database, asked but never changed.
final class DatabaseFacts implements AutoCloseable {

  private final @Nullable Connection connection;
  private final @Nullable String failure;

  private DatabaseFacts(@Nullable Connection connection, @Nullable String failure) {
    this.connection = connection;
    this.failure = failure;
  }

  static DatabaseFacts of(CoppiceProperties.Database settings, Path home) {
    try {
      Optional<Connection> open = DatabaseAccess.find(settings, home).map(DatabaseAccess::connect);
      if (open.isPresent()) {
        open.get().setReadOnly(true);
      }
      return new DatabaseFacts(open.orElse(null), null);
    } catch (DatabaseException | SQLException | java.io.UncheckedIOException e) {
      return new DatabaseFacts(null, String.valueOf(e.getMessage()));
    }
  }

  boolean reached() {
    return connection != null;
  }

  /// The reason that it cannot be reached; empty if it can, or is embedded and stopped.
  Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  /// A conversion of a row.
  @FunctionalInterface
  interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /// All rows of a query; empty if there is no such table yet, or no connection.
  <T> List<T> rows(String question, Reader<T> reader) {
    List<T> rows = new ArrayList<>();
    if (connection == null) {
      return rows;
    }
    try (var statement = connection.createStatement();
        var result = statement.executeQuery(question)) {
      while (result.next()) {
        rows.add(reader.read(result));
      }
      return rows;
    } catch (SQLException e) {
      return List.of();
    }
  }

  /// The one value of a query, as text.
  Optional<String> value(String question) {
    return rows(question, row -> String.valueOf(row.getString(1))).stream().findFirst();
  }

  @Override
  public void close() {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        return; // it was only read from
      }
    }
  }
}

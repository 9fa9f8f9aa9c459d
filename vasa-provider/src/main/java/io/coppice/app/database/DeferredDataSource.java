package io.coppice.app.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDataSource;

/// The database as the rest of the application sees it, from before it is reached until after it is
/// gone. While there is no database, every connection is refused at once.
public final class DeferredDataSource extends AbstractDataSource {

  private volatile @Nullable DataSource current;

  /// @param next source of connections from now on; null: none
  void use(@Nullable DataSource next) {
    current = next;
  }

  @Override
  public Connection getConnection() throws SQLException {
    DataSource source = current;
    if (source == null) {
      throw new SQLTransientConnectionException("the database is not reached yet");
    }
    return source.getConnection();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLException("expected a connection of the configured user, got a wish for " + user);
  }
}

package io.coppice.app.database;

import io.coppice.app.setting.CoppiceProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/// The way to the database for commands that run beside a provider, or without one.
public record DatabaseAccess(String url, String user, String password) {

  private static final String SECONDS = "10";

  /// The database that the settings name.
  ///
  /// @return empty if it is the embedded one and it does not run
  /// @throws DatabaseException if its password cannot be read
  public static Optional<DatabaseAccess> find(CoppiceProperties.Database settings, Path home) {
    if (!settings.embedded()) {
      return Optional.of(
          new DatabaseAccess(settings.url(), settings.user(), DatabaseLink.password(settings)));
    }
    try {
      return EmbeddedPostgres.running(home)
          .map(server -> new DatabaseAccess(server.url(), server.user(), server.password()));
    } catch (IOException e) {
      throw new DatabaseException("the database's password cannot be read: " + e, e);
    }
  }

  /// A new connection.
  ///
  /// @throws DatabaseException if it cannot be reached
  public Connection connect() {
    Properties properties = DatabaseLogin.properties(user, password);
    properties.put("connectTimeout", SECONDS);
    properties.put("loginTimeout", SECONDS);
    properties.put("socketTimeout", "60");
    try {
      return DriverManager.getConnection(url, properties);
    } catch (SQLException e) {
      throw new DatabaseException("the database cannot be reached: " + DatabaseLogin.reason(e), e);
    }
  }

  /// A source of new connections.
  public DataSource dataSource() {
    return new DriverManagerDataSource(url, DatabaseLogin.properties(user, password));
  }

  /// Whether there is an embedded database below a home.
  public static boolean exists(Path home) {
    return Files.exists(home.resolve("database"));
  }

  /// A text without the password.
  @Override
  public String toString() {
    return "DatabaseAccess[" + user + "]";
  }
}

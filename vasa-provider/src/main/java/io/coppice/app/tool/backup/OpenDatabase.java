package io.coppice.app.tool.backup;

import io.coppice.app.database.DatabaseAccess;
import io.coppice.app.database.EmbeddedPostgres;
import io.coppice.app.setting.CoppiceProperties;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A connection to the database that the settings name. The embedded one is started if it does not
/// run, and stopped again.
///
/// @param access its address, for users that need connections of their own
record OpenDatabase(
    DatabaseAccess access, Connection connection, @Nullable EmbeddedPostgres started)
    implements AutoCloseable {

  /// @throws io.coppice.app.database.DatabaseException if it can be neither reached nor started
  static OpenDatabase of(CoppiceProperties settings, Path home) {
    Optional<DatabaseAccess> running = DatabaseAccess.find(settings.database(), home);
    if (running.isPresent()) {
      return new OpenDatabase(running.get(), running.get().connect(), null);
    }
    var server = new EmbeddedPostgres(home, InstantSource.system());
    server.start();
    try {
      DatabaseAccess access =
          DatabaseAccess.find(settings.database(), home)
              .orElseThrow(
                  () -> new BackupRefusedException("The embedded PostgreSQL ended at once."));
      return new OpenDatabase(access, access.connect(), server);
    } catch (RuntimeException e) {
      server.stop();
      throw e;
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      connection.close();
    } finally {
      if (started != null) {
        started.stop();
      }
    }
  }
}

package io.coppice.app.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDataSource;

/// The database as the rest of the application sees it, from before it is reached until after it is
/// gone. While there is no database, every connection is refused at once. Between a database that
/// was given up and the next one, whoever wants a connection waits a while for that one, as it
/// waits for a pool that reaches nobody.
///
/// One thread at a time changes it; any thread takes connections.
public final class DeferredDataSource extends AbstractDataSource {

  private volatile Source source = new None();

  /// The source of connections, or the lack of one.
  private sealed interface Source {}

  private record None() implements Source {}

  private record Reached(DataSource pool) implements Source {}

  /// @param next completed with the next one, or with an error if there will be none
  private record GivenUp(CompletableFuture<DataSource> next, Duration patience) implements Source {}

  /// @param next source of connections from now on; null: none
  void use(@Nullable DataSource next) {
    Source before = source;
    source = next == null ? new None() : new Reached(next);
    if (before instanceof GivenUp(CompletableFuture<DataSource> awaited, Duration _)) {
      if (next == null) {
        awaited.completeExceptionally(notReached());
      } else {
        awaited.complete(next);
      }
    }
  }

  /// Takes no connections from the present source any more. Nothing changes if there is none.
  ///
  /// @param patience how long those wait that want one before there is another source
  void giveUp(Duration patience) {
    if (source instanceof Reached) {
      source = new GivenUp(new CompletableFuture<>(), patience);
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    return switch (source) {
      case None _ -> throw notReached();
      case Reached(DataSource pool) -> pool.getConnection();
      case GivenUp(CompletableFuture<DataSource> next, Duration patience) ->
          awaited(next, patience).getConnection();
    };
  }

  private static DataSource awaited(CompletableFuture<DataSource> next, Duration patience)
      throws SQLException {
    try {
      return next.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new SQLTransientConnectionException("the database does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("interrupted while the database was awaited", e);
    }
  }

  private static SQLException notReached() {
    return new SQLTransientConnectionException("the database is not reached yet");
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLException("expected a connection of the configured user, got a wish for " + user);
  }
}

package io.coppice.vasa.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/// A database that counts what it is asked, what it answers, and what it looks at for that.
public final class CountedDatabase extends DelegatingDataSource {

  private static final String READ =
      """
      select (select coalesce(sum(seq_tup_read), 0)::bigint from pg_stat_user_tables
               where schemaname = current_schema())
           + (select coalesce(sum(idx_tup_read), 0)::bigint from pg_stat_user_indexes
               where schemaname = current_schema())
      """;

  private final AtomicLong statements = new AtomicLong();
  private final AtomicLong rows = new AtomicLong();

  public CountedDatabase(DataSource real) {
    super(real);
  }

  /// What a work cost.
  ///
  /// @param statements that were executed
  /// @param rows that came back
  /// @param read rows and entries of indexes that the server looked at, in tables of ours
  public record Cost(long statements, long rows, long read) {}

  public Cost of(Runnable work) {
    long statementsBefore = statements.get();
    long rowsBefore = rows.get();
    long readBefore = read();
    work.run();
    return new Cost(
        statements.get() - statementsBefore, rows.get() - rowsBefore, read() - readBefore);
  }

  /// What the server has looked at since it counts; see [#flushed].
  private long read() {
    try (Connection connection = super.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(READ)) {
      result.next();
      return result.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// A session of the server tells what it looked at once a second at most, unless it is told to.
  private static void flushed(Connection connection) throws SQLException {
    if (!connection.isClosed() && connection.getAutoCommit()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("select pg_stat_force_next_flush()");
      }
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    return counted(super.getConnection(), Connection.class);
  }

  private <T> T counted(T real, Class<T> type) {
    InvocationHandler handler =
        (_, method, arguments) -> {
          if (method.getName().startsWith("execute")) {
            statements.incrementAndGet();
          }
          if (method.getName().equals("close") && real instanceof Connection connection) {
            flushed(connection);
          }
          try {
            Object answer = method.invoke(real, arguments);
            if (method.getName().equals("next") && Boolean.TRUE.equals(answer)) {
              rows.incrementAndGet();
            }
            return switch (answer) {
              case PreparedStatement statement -> counted(statement, PreparedStatement.class);
              case Statement statement -> counted(statement, Statement.class);
              case ResultSet result -> counted(result, ResultSet.class);
              case null, default -> answer;
            };
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}

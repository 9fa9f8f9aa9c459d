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

/// A database that counts what it is asked and what it answers.
public final class CountedDatabase extends DelegatingDataSource {

  private final AtomicLong statements = new AtomicLong();
  private final AtomicLong rows = new AtomicLong();

  public CountedDatabase(DataSource real) {
    super(real);
  }

  /// What a work cost.
  ///
  /// @param statements that were executed
  /// @param rows that came back
  public record Cost(long statements, long rows) {}

  public Cost of(Runnable work) {
    long statementsBefore = statements.get();
    long rowsBefore = rows.get();
    work.run();
    return new Cost(statements.get() - statementsBefore, rows.get() - rowsBefore);
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

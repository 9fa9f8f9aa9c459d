package io.coppice.admin;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/// A database that can be cut off.
final class BrittleDatabase extends DelegatingDataSource {

  volatile boolean cutOff;

  BrittleDatabase(DataSource real) {
    super(real);
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (cutOff) {
      throw new SQLTransientConnectionException("cut off by the test");
    }
    return super.getConnection();
  }
}

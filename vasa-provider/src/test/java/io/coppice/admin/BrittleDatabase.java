package io.coppice.admin;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/// A database that can be cut off, or hang.
final class BrittleDatabase extends DelegatingDataSource {

  volatile boolean cutOff;

  private volatile CountDownLatch answering = new CountDownLatch(0);
  private final AtomicInteger hanging = new AtomicInteger();

  BrittleDatabase(DataSource real) {
    super(real);
  }

  /// From now on whoever asks waits, until [#resume] or an interrupt.
  void hang() {
    answering = new CountDownLatch(1);
  }

  void resume() {
    answering.countDown();
  }

  /// How many wait.
  int hanging() {
    return hanging.get();
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (cutOff) {
      throw new SQLTransientConnectionException("cut off by the test");
    }
    hanging.incrementAndGet();
    try {
      answering.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("interrupted while it hung", e);
    } finally {
      hanging.decrementAndGet();
    }
    return super.getConnection();
  }
}

package io.coppice.vasa.testing;

import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Assumptions;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/// A PostgreSQL for tests: the one that `COPPICE_TEST_JDBC_URL` names.
public final class TestDatabase {

  private static final AtomicInteger NEXT = new AtomicInteger();

  private TestDatabase() {}

  /// A migrated schema that nobody else uses, named after the process and a number.
  public static DataSource fresh() {
    String url = System.getenv("COPPICE_TEST_JDBC_URL");
    Assumptions.assumeTrue(url != null, "COPPICE_TEST_JDBC_URL names no PostgreSQL");
    String schema = "t%d_%d".formatted(ProcessHandle.current().pid(), NEXT.incrementAndGet());
    String separator = url.contains("?") ? "&" : "?";
    DataSource database = new DriverManagerDataSource(url + separator + "currentSchema=" + schema);
    Flyway.configure().dataSource(database).defaultSchema(schema).load().migrate();
    return database;
  }
}

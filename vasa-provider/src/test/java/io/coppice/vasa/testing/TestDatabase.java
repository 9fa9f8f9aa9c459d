package io.coppice.vasa.testing;

import io.coppice.app.database.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/// A PostgreSQL for tests: the one that `COPPICE_TEST_JDBC_URL` names, else one of our own that
/// lives as long as this process.
public final class TestDatabase {

  private static final AtomicInteger NEXT = new AtomicInteger();

  private TestDatabase() {}

  /// A migrated schema that nobody else uses, named after the process and a number.
  public static DataSource fresh() {
    String schema = "t%d_%d".formatted(ProcessHandle.current().pid(), NEXT.incrementAndGet());
    DataSource database = inSchema(schema);
    Flyway.configure().dataSource(database).defaultSchema(schema).load().migrate();
    return database;
  }

  private static DataSource inSchema(String schema) {
    String named = System.getenv("COPPICE_TEST_JDBC_URL");
    if (named != null) {
      return new DriverManagerDataSource(withSchema(named, schema));
    }
    EmbeddedPostgres.Server own = Own.SERVER;
    return new DriverManagerDataSource(withSchema(own.url(), schema), own.user(), own.password());
  }

  private static String withSchema(String url, String schema) {
    return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
  }

  /// Started at the first use, stopped and removed with the process.
  private static final class Own {

    static final EmbeddedPostgres.Server SERVER = start();

    private static EmbeddedPostgres.Server start() {
      try {
        Path home = Files.createTempDirectory("coppice-test-database");
        EmbeddedPostgres postgres = new EmbeddedPostgres(home, InstantSource.system());
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(
                    () -> {
                      postgres.stop();
                      remove(home);
                    }));
        return postgres.start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void remove(Path folder) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

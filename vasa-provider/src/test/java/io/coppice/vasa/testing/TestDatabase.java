package io.coppice.vasa.testing;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.coppice.app.database.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/// A PostgreSQL for tests: the one that `COPPICE_TEST_JDBC_URL` names, else one of our own that
/// lives as long as this process.
///
/// Hundreds of tests want a schema each, so a schema costs little: Flyway migrates the first one,
/// and the scripts that it found make the others. Connections are kept, as those of the provider
/// are, and their commits do not wait for the disk, because no test survives its machine.
public final class TestDatabase {

  /// Most connections of one schema. A test that needs more would need more of the provider, too.
  private static final int CONNECTIONS = 20;

  private static final String SCRIPTS = "/db/migration/";

  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("test-connections").factory());

  // Guarded by the class.
  private static @Nullable Migrated migrated;
  private static @Nullable HikariDataSource latest;

  private TestDatabase() {}

  /// A migrated schema that nobody else uses, named after the process and a number.
  public static synchronized DataSource fresh() {
    if (latest != null) {
      latest.getHikariPoolMXBean().softEvictConnections(); // it stays usable
    }
    String schema = "t%d_%d".formatted(ProcessHandle.current().pid(), NEXT.incrementAndGet());
    HikariDataSource database = inSchema(schema);
    latest = database;
    if (migrated == null) {
      migrated = Migrated.by(database, schema);
    } else {
      migrated.repeatIn(database, schema);
    }
    return database;
  }

  /// The scripts that Flyway ran, and the schema in which it did.
  private record Migrated(String schema, String scripts) {

    static Migrated by(DataSource database, String schema) {
      Flyway flyway = Flyway.configure().dataSource(database).defaultSchema(schema).load();
      flyway.migrate();
      return new Migrated(
          schema,
          Stream.of(flyway.info().applied())
              .filter(script -> script.getVersion() != null)
              .map(script -> text(script.getScript()))
              .collect(Collectors.joining("\n")));
    }

    private static String text(String script) {
      try (InputStream file = TestDatabase.class.getResourceAsStream(SCRIPTS + script)) {
        return new String(
            Objects.requireNonNull(file, script).readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void repeatIn(DataSource database, String other) {
      JdbcTemplate jdbc = new JdbcTemplate(database);
      jdbc.execute("create schema " + other);
      jdbc.execute(scripts);
      jdbc.execute(
          "create table flyway_schema_history (like %s.flyway_schema_history including all)"
              .formatted(schema));
      jdbc.execute(
          "insert into flyway_schema_history select * from %s.flyway_schema_history"
              .formatted(schema));
    }
  }

  private static HikariDataSource inSchema(String schema) {
    HikariConfig pool = new HikariConfig();
    String named = System.getenv("COPPICE_TEST_JDBC_URL");
    if (named != null) {
      pool.setJdbcUrl(withSchema(named, schema));
    } else {
      EmbeddedPostgres.Server own = Own.SERVER;
      pool.setJdbcUrl(withSchema(own.url(), schema));
      pool.setUsername(own.user());
      pool.setPassword(own.password());
    }
    pool.setMaximumPoolSize(CONNECTIONS);
    pool.setMinimumIdle(0);
    pool.setScheduledExecutor(TIMER);
    pool.addDataSourceProperty("options", "-c synchronous_commit=off");
    return new HikariDataSource(pool);
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
                      TestFolder.remove(home);
                    }));
        return postgres.start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

package io.coppice.app.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The link to the database: the embedded one, started as needed, or the configured one.
///
/// Only the control plane's thread uses it, but for the first attempt, which may run ahead of it.
public final class DatabaseLink implements AutoCloseable {

  /// Settings that must be on for a commit to be durable (PostgreSQL 18 §28.1, Reliability).
  private static final List<String> DURABILITY =
      List.of("fsync", "synchronous_commit", "full_page_writes");

  private static final Logger log = LoggerFactory.getLogger(DatabaseLink.class);

  private static final int OLDEST_VERSION = 150000;
  private static final int PROBE_SECONDS = 5;

  private final CoppiceProperties.Database settings;
  private final Path home;
  private final DeferredDataSource dataSource;
  private final InstantSource clock;
  private @Nullable FutureTask<String> ahead;
  private @Nullable EmbeddedPostgres embedded;
  private @Nullable HikariDataSource pool;
  private @Nullable Connection probe;
  private String probeUrl = "";
  private Properties probeSettings = new Properties();

  public DatabaseLink(
      CoppiceProperties.Database settings,
      Path home,
      DeferredDataSource dataSource,
      InstantSource clock) {
    this.settings = settings;
    this.home = home;
    this.dataSource = dataSource;
    this.clock = clock;
  }

  /// Begins the first [#open] in a thread of its own and returns at once: the server takes time to
  /// start, and so do the other steps meanwhile.
  public synchronized void openAhead() {
    var task = new FutureTask<>(this::reach);
    ahead = task;
    Thread.ofPlatform().name("database").daemon(true).start(task);
  }

  /// Reaches the database and lets the application use it. If an attempt ran ahead, its outcome is
  /// the outcome of the first call.
  ///
  /// @return the database's description for the operator
  /// @throws DatabaseException if it cannot be reached or is not durable
  public String open() {
    FutureTask<String> begun = takeAhead();
    return begun == null ? reach() : outcome(begun);
  }

  private synchronized @Nullable FutureTask<String> takeAhead() {
    FutureTask<String> begun = ahead;
    ahead = null;
    return begun;
  }

  private static String outcome(FutureTask<String> begun) {
    try {
      return begun.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException expected -> throw expected;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DatabaseException("interrupted while the database was awaited", e);
    }
  }

  private String reach() {
    Map.Entry<String, HikariConfig> target = settings.embedded() ? startEmbedded() : external();
    HikariConfig config = target.getValue();
    config.setPoolName("coppice");
    config.addDataSourceProperty(DatabaseLogin.METHOD_PROPERTY, DatabaseLogin.METHOD);
    config.setMaximumPoolSize(settings.connections());
    config.setMinimumIdle(2);
    config.setConnectionTimeout(settings.patience().toMillis());
    config.setInitializationFailTimeout(-1);
    var next = new HikariDataSource(config);
    try {
      String version = check(next);
      HikariDataSource old = pool;
      pool = next;
      dataSource.use(next);
      probeWith(config);
      if (old != null) {
        old.close();
      }
      return target.getKey().formatted(version);
    } catch (RuntimeException e) {
      next.close();
      throw e;
    }
  }

  /// Whether the database answers within [#PROBE_SECONDS]. Asked over a connection of its own,
  /// because a pool whose connections are all busy proves nothing.
  public boolean alive() {
    if (embedded != null) {
      embedded.boundLog();
    }
    try {
      Connection asking = probe;
      if (asking == null) {
        asking = DriverManager.getConnection(probeUrl, probeSettings);
        probe = asking;
      }
      if (asking.isValid(PROBE_SECONDS)) {
        return true;
      }
    } catch (SQLException e) {
      log.atDebug().setCause(e).log("the database does not answer");
    }
    closeProbe();
    return false;
  }

  /// Gives up a database that does not answer. Statements that wait for it end with errors now,
  /// instead of at their own time, which is a minute; a transaction of theirs may have taken
  /// effect, as after a crash of the server. Whoever wants a connection waits for the next [#open],
  /// as long as for a pool that reaches nobody.
  public void giveUp() {
    HikariDataSource hanging = pool;
    pool = null;
    dataSource.giveUp(settings.patience());
    closeProbe();
    if (hanging != null) {
      hanging.close();
    }
  }

  private void closeProbe() {
    Connection asked = probe;
    probe = null;
    if (asked != null) {
      try {
        asked.close();
      } catch (SQLException e) {
        log.atDebug().setCause(e).log("closing a connection that does not answer");
      }
    }
  }

  private void probeWith(HikariConfig config) {
    closeProbe();
    probeUrl = config.getJdbcUrl();
    probeSettings = DatabaseLogin.properties(config.getUsername(), config.getPassword());
    String seconds = Integer.toString(PROBE_SECONDS);
    probeSettings.put("connectTimeout", seconds);
    probeSettings.put("loginTimeout", seconds);
    probeSettings.put("socketTimeout", seconds);
  }

  private Map.Entry<String, HikariConfig> startEmbedded() {
    if (embedded == null) {
      embedded = new EmbeddedPostgres(home, clock);
    }
    EmbeddedPostgres.Server server = embedded.start();
    var config = new HikariConfig();
    config.setJdbcUrl(server.url());
    config.setUsername(server.user());
    config.setPassword(server.password());
    String how = server.adopted() ? "adopted, it was running" : "started";
    return Map.entry("embedded PostgreSQL %s " + how + " at " + server.url(), config);
  }

  private Map.Entry<String, HikariConfig> external() {
    var config = new HikariConfig();
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setPassword(password(settings));
    return Map.entry("PostgreSQL %s at " + withoutQuery(settings.url()).replace("%", "%%"), config);
  }

  /// The URL without its query, which may hold a password.
  private static String withoutQuery(String url) {
    int query = url.indexOf('?');
    return query < 0 ? url : url.substring(0, query);
  }

  static String password(CoppiceProperties.Database settings) {
    if (settings.passwordFile().isBlank()) {
      return settings.password();
    }
    Path file = Path.of(settings.passwordFile());
    if (!Files.isReadable(file)) {
      throw new DatabaseException(
          "coppice.database.password-file: expected a file that can be read, got " + file);
    }
    return Home.secret(file);
  }

  private String check(HikariDataSource source) {
    try (Connection connection = source.getConnection();
        var statement = connection.createStatement()) {
      int version = Integer.parseInt(show(statement, "server_version_num"));
      if (version < OLDEST_VERSION) {
        throw new DatabaseException(
            "expected PostgreSQL 15 or newer, got " + show(statement, "server_version"));
      }
      for (String setting : DURABILITY) {
        String value = show(statement, setting);
        if (settings.requireDurable() && value.equals("off")) {
          throw new DatabaseException(
              "expected a database with %s on, got %s: a commit there may be lost"
                  .formatted(setting, value));
        }
      }
      return show(statement, "server_version");
    } catch (SQLException e) {
      throw new DatabaseException("the database cannot be reached: " + DatabaseLogin.reason(e), e);
    }
  }

  private static String show(java.sql.Statement statement, String setting) throws SQLException {
    try (var result = statement.executeQuery("SHOW " + setting)) {
      result.next();
      return result.getString(1);
    }
  }

  /// Waits for an attempt that runs ahead, and closes what it made as well.
  @Override
  public void close() {
    FutureTask<String> begun = takeAhead();
    if (begun != null) {
      try {
        outcome(begun);
      } catch (RuntimeException e) {
        log.atDebug().setCause(e).log("the database was not reached before the end");
      }
    }
    dataSource.use(null);
    closeProbe();
    if (pool != null) {
      pool.close();
    }
    if (embedded != null) {
      embedded.stop();
    }
  }
}

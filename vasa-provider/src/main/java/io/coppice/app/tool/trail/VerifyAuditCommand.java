package io.coppice.app.tool.trail;

import io.coppice.app.database.DatabaseAccess;
import io.coppice.app.database.DatabaseException;
import io.coppice.app.database.EmbeddedPostgres;
import io.coppice.app.pool.PoolLock;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.app.setting.SettingsReader;
import io.coppice.app.setting.StartupException;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.vasa.audit.AuditKey;
import io.coppice.vasa.audit.AuditRows;
import io.coppice.vasa.audit.AuditTrail;
import io.coppice.vasa.audit.ChainCheck;
import io.coppice.vasa.audit.HeadRecord;
import io.coppice.vasa.audit.Verdict;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;

/// The command `verify-audit [--home DIR] [--coppice.KEY=VALUE ...]`. It proves the audit trail
/// while the provider is stopped, from the database and the pool. It opens the pool as a start
/// does, which replays its log, and starts the embedded database if that does not run.
public final class VerifyAuditCommand {

  private static final int WHOLE = 0;
  private static final int UNREADABLE = 2;
  private static final int BROKEN = 9;
  private static final String USAGE = "Usage: verify-audit [--home DIR] [--coppice.KEY=VALUE ...]";

  private VerifyAuditCommand() {}

  /// A trail that cannot be read.
  private static final class NotReadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotReadableException(String message) {
      super(message);
    }
  }

  /// @return the exit status: 0 the trail is whole, 9 it is broken, 2 it could not be read
  public static int run(List<String> args, PrintStream out, PrintStream err) {
    if (args.contains("--help") || args.contains("-h")) {
      out.println(USAGE);
      return WHOLE;
    }
    try {
      Verdict found = verify(SettingsReader.read(settings(args)));
      (found.isIntact() ? out : err).println("coppice: " + found.sentence());
      return found.isIntact() ? WHOLE : BROKEN;
    } catch (NotReadableException
        | StartupException
        | DatabaseException
        | StorageException
        | DataAccessException
        | TransactionException e) {
      err.println("coppice: the audit trail could not be read: " + e.getMessage());
      return UNREADABLE;
    }
  }

  private static List<String> settings(List<String> args) {
    List<String> settings = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (arg.equals("--home") && i + 1 < args.size()) {
        settings.add("--coppice.home=" + args.get(++i));
      } else if (arg.startsWith("--home=")) {
        settings.add("--coppice." + arg.substring(2));
      } else {
        settings.add(arg);
      }
    }
    return settings;
  }

  private static Verdict verify(CoppiceProperties settings) {
    Path home = Path.of(settings.home()).toAbsolutePath().normalize();
    Path pool = settings.poolDirectory().toAbsolutePath().normalize();
    if (PoolLock.of(pool.resolve("lock"), true).held()) {
      throw new NotReadableException(
          "the pool in %s is open: ask the running provider with \"./coppice audit verify\""
              .formatted(pool));
    }
    if (!Files.exists(home.resolve("audit.key"))
        || !PoolDirectory.holdsPool(pool, settings.engineOptions())) {
      throw new NotReadableException(
          "expected a pool in %s and the key of the trail in %s, got none".formatted(pool, home));
    }
    AuditKey key = new Home(home).auditKey();
    try (StorageEngine engine = PoolDirectory.open(pool, settings.engineOptions())) {
      return withDatabase(settings, home, new HeadRecord(engine.records()), key);
    }
  }

  private static Verdict withDatabase(
      CoppiceProperties settings, Path home, HeadRecord head, AuditKey key) {
    Optional<DatabaseAccess> running = DatabaseAccess.find(settings.database(), home);
    if (running.isPresent()) {
      return check(running.get(), head, key);
    }
    var server = new EmbeddedPostgres(home, InstantSource.system());
    server.start();
    try {
      return check(
          DatabaseAccess.find(settings.database(), home)
              .orElseThrow(() -> new NotReadableException("the embedded PostgreSQL ended at once")),
          head,
          key);
    } finally {
      server.stop();
    }
  }

  private static Verdict check(DatabaseAccess database, HeadRecord head, AuditKey key) {
    var source = database.dataSource();
    return new ChainCheck(
            new AuditRows(JdbcClient.create(source)),
            head,
            key,
            AuditTrail.reading(new JdbcTransactionManager(source)),
            InstantSource.system())
        .check();
  }
}

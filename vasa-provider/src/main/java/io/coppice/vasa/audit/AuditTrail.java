package io.coppice.vasa.audit;

import io.coppice.engine.PoolRecords;
import io.coppice.vasa.time.IntervalThread;
import io.coppice.vasa.time.SeenTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/// The audit trail as a whole: it writes, also what the provider did by itself, checks the chain
/// now and then, and removes what is too old. Safe for any thread.
public final class AuditTrail implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(AuditTrail.class);

  private static final Duration ROUND = Duration.ofSeconds(30);

  private final AuditRows rows;
  private final AuditChain chain;
  private final ChainCheck check;
  private final AuditLog entries;
  private final OwnWork own;
  private final AuditSettings settings;
  private final BooleanSupplier usable;
  private final SeenTime time;
  private final IntervalThread rounds = new IntervalThread("audit-rounds", ROUND, this::round);

  private volatile @Nullable Verdict last;

  /// The places where the trail is kept.
  ///
  /// @param usable whether the database is in use now
  public record Places(
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      PoolRecords records,
      AuditSpool spool,
      BooleanSupplier usable) {}

  public AuditTrail(
      Places places, AuditKey key, AuditSettings settings, SeenTime time, InstantSource clock) {
    this.settings = settings;
    this.usable = places.usable();
    this.time = time;
    HeadRecord head = new HeadRecord(places.records());
    rows = new AuditRows(places.jdbc());
    check = new ChainCheck(rows, head, key, reading(places.transactions()), clock);
    chain =
        new AuditChain(
            rows, head, key, check, new TransactionTemplate(places.transactions()), clock);
    entries = new AuditLog(chain, places.spool(), usable, clock);
    own = new OwnWork(entries::append, settings.ownWorkPeriod(), clock);
  }

  /// Transactions that read one state of the database.
  public static TransactionTemplate reading(PlatformTransactionManager manager) {
    TransactionTemplate reading = new TransactionTemplate(manager);
    reading.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    reading.setReadOnly(true);
    return reading;
  }

  /// Starts writing.
  public void start() {
    entries.start();
  }

  /// Starts the rounds of checks and removals, in a thread of their own.
  public void startRounds() {
    rounds.start();
  }

  /// Where calls are written.
  public AuditLog entries() {
    return entries;
  }

  /// Where the provider's own work is told.
  public OwnWork ownWork() {
    return own;
  }

  /// What was written.
  public AuditRows rows() {
    return rows;
  }

  /// The number of the last entry; 0 if there is none.
  public long lastSeq() {
    return rows.last().map(ChainHead::seq).orElse(0L);
  }

  /// Checks the whole chain now.
  public Verdict verify() {
    Verdict found = check.check();
    if (!found.isIntact()) {
      log.atError().addKeyValue("entry", found.firstBad()).log(found.sentence());
    }
    last = found;
    return found;
  }

  /// The outcome of the last check; empty if there was none since the start.
  public Optional<Verdict> lastVerdict() {
    return Optional.ofNullable(last);
  }

  private void round() {
    try {
      own.writeDue();
      if (usable.getAsBoolean()) {
        age();
        verifyWhenDue();
      }
    } catch (RuntimeException | Error e) { // the thread must outlive whatever one round meets
      log.atWarn().setCause(e).log("a round of the audit trail failed and is tried again");
    }
  }

  private void verifyWhenDue() {
    Verdict before = last;
    if (before == null
        || time.now().isAfter(before.at().plus(settings.checkPeriod()))
        || before.at().isAfter(time.now().plus(settings.checkPeriod()))) {
      verify();
    }
  }

  /// Removes entries that are older than the settings say, or too many.
  ///
  /// @return how many
  public long age() {
    long all = 0;
    long removed;
    do {
      removed = chain.age(time.onTheClock(time.now().minus(settings.kept())), settings.entries());
      all += removed;
    } while (removed > 0);
    return all;
  }

  /// Writes what waits, and takes no more.
  @Override
  public void close() {
    rounds.close();
    own.writeAll();
    entries.close();
  }
}

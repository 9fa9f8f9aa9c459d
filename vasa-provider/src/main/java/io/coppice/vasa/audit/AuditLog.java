package io.coppice.vasa.audit;

import io.coppice.engine.StorageException;
import io.coppice.vasa.time.IntervalThread;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/// The log into which the edges write each call that may have changed something. A caller gets its
/// answer when its record is stable: in the database, or on disk while that is away.
///
/// One thread writes. What came while it wrote is written together next time, so a crowd of callers
/// shares one commit. While records wait on disk, newer ones go there, too, so the order stays.
///
/// If a record can be written neither here nor there, the caller is answered anyway: the change has
/// happened or was refused by then. The record goes to the log of the process, is counted, and an
/// entry with the count follows as soon as one can be written.
public final class AuditLog implements AutoCloseable {

  /// The provider's own record about records that were lost.
  static final String MISSED = "audit.missed";

  /// The provider's own record about entries that the syslog server did not get.
  static final String UNSENT = "audit.unsent";

  private static final Logger log = LoggerFactory.getLogger(AuditLog.class);

  private static final int AT_ONCE = AuditRows.AT_ONCE / 2;
  private static final Duration PATIENCE_AT_END = Duration.ofSeconds(30);
  private static final long IDLE_MILLIS = 1000;

  /// Pause after a failure of the database, so that not each caller waits for another one.
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final AuditChain chain;
  private final AuditSpool spool;
  private final BooleanSupplier usable;
  private final InstantSource clock;
  private final LinkedBlockingQueue<Pending> waiting = new LinkedBlockingQueue<>();

  private final AtomicLong missed = new AtomicLong();
  private final AtomicLong missedInAll = new AtomicLong();
  private volatile boolean ended;
  private @Nullable Thread thread;
  private long pausedUntil = System.nanoTime();

  /// @param usable whether the database is in use; records go to the spool while it is not
  AuditLog(AuditChain chain, AuditSpool spool, BooleanSupplier usable, InstantSource clock) {
    this.chain = chain;
    this.spool = spool;
    this.usable = usable;
    this.clock = clock;
  }

  /// A record whose caller waits.
  private record Pending(AuditRecord recorded, CountDownLatch stable) {}

  /// Starts the writing thread.
  synchronized void start() {
    if (thread == null) {
      thread = Thread.ofPlatform().name("audit").daemon(true).start(this::run);
    }
  }

  /// Writes a record; it is stable on return, or counted as missed. Never throws: the change that
  /// it is about has had its end. An interrupt is kept for the caller.
  public void append(AuditRecord recorded) {
    Pending pending = new Pending(recorded, new CountDownLatch(1));
    waiting.add(pending);
    boolean interrupted = false;
    while (pending.stable().getCount() > 0) {
      if (ended && waiting.remove(pending)) {
        miss(List.of(pending)); // nobody writes any more
      }
      try {
        pending.stable().await(IDLE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Records that entries were removed before they could be sent to the syslog server.
  public void noteUnsent(long first, long last) {
    append(
        AuditRecord.own(
            clock.instant(),
            UNSENT,
            Outcome.FAILED,
            Detail.after("first", Long.toString(first)),
            Detail.after("last", Long.toString(last)),
            Detail.after("count", Long.toString(last - first + 1))));
  }

  /// Records that could not be written since the start.
  public long missed() {
    return missedInAll.get();
  }

  /// Whether the pool does not take the head of the chain.
  public boolean isHeadMissed() {
    return chain.isHeadMissed();
  }

  /// Bytes that wait on disk for the database.
  public long spooled() {
    return spool.size();
  }

  private void run() {
    while (!ended || !waiting.isEmpty()) {
      try {
        work();
      } catch (InterruptedException e) {
        ended = true;
      } catch (RuntimeException | Error e) { // the thread must outlive whatever one batch meets
        log.atError().setCause(e).log("the audit trail failed and is tried again");
      }
    }
  }

  private void work() throws InterruptedException {
    List<Pending> batch = new ArrayList<>();
    Pending first = waiting.poll(ended ? 0 : IDLE_MILLIS, TimeUnit.MILLISECONDS);
    if (first != null) {
      batch.add(first);
      waiting.drainTo(batch, AT_ONCE - 1);
    }
    try {
      if (!batch.isEmpty()) {
        store(batch);
      }
      if (isUsable()) {
        settle(first == null);
      }
    } finally {
      List<Pending> lost = batch.stream().filter(one -> one.stable().getCount() > 0).toList();
      miss(lost);
    }
  }

  private boolean isUsable() {
    return usable.getAsBoolean() && pausedUntil - System.nanoTime() <= 0;
  }

  private void store(List<Pending> batch) {
    List<AuditRecord> records = batch.stream().map(Pending::recorded).toList();
    if (!spool.isEmpty() && isUsable()) {
      settle(false); // so that the order stays
    }
    if (spool.isEmpty() && isUsable() && stored(chain::append, records)) {
      batch.forEach(one -> one.stable().countDown());
      return;
    }
    try {
      spool.append(records);
      batch.forEach(one -> one.stable().countDown());
    } catch (IOException e) {
      log.atError().setCause(e).log("the audit trail can be written to no place");
      miss(batch);
    }
  }

  private boolean stored(Consumer<List<AuditRecord>> way, List<AuditRecord> records) {
    try {
      way.accept(records);
      return true;
    } catch (DataAccessException | TransactionException | StorageException e) {
      pausedUntil = System.nanoTime() + PAUSE.toNanos();
      log.atWarn().setCause(e).log("the audit trail waits on disk for the database");
      return false;
    }
  }

  private void miss(List<Pending> batch) {
    missed.addAndGet(batch.size());
    missedInAll.addAndGet(batch.size());
    for (Pending one : batch) {
      AuditRecord recorded = one.recorded();
      log.atError()
          .addKeyValue("by", recorded.author().account())
          .addKeyValue("action", recorded.action())
          .addKeyValue("object", recorded.object())
          .addKeyValue("outcome", recorded.outcome().text())
          .addKeyValue("traceId", recorded.trace())
          .log("a call is missing in the audit trail");
      one.stable().countDown();
    }
  }

  /// Brings into the database what waits beside it: the spool, what tools left, and the count of
  /// what was missed.
  private void settle(boolean idle) {
    try {
      List<AuditRecord> all = spool.isEmpty() ? List.of() : spool.all();
      boolean done = true;
      for (int from = 0; done && from < all.size(); from += AT_ONCE) {
        done = stored(chain::repeat, all.subList(from, Math.min(all.size(), from + AT_ONCE)));
      }
      if (done) {
        spool.clear();
        if (idle) {
          takeLeft();
        }
        noteMissed();
      }
    } catch (IOException e) {
      pausedUntil = System.nanoTime() + PAUSE.toNanos();
      log.atWarn().setCause(e).log("the audit trail's folder cannot be read");
    }
  }

  private void takeLeft() throws IOException {
    for (AuditSpool.Left left : spool.left()) {
      if (!stored(chain::repeat, List.of(left.recorded()))) {
        return;
      }
      Files.deleteIfExists(left.file());
    }
  }

  private void noteMissed() {
    long count = missed.get();
    if (count > 0
        && stored(
            chain::append,
            List.of(
                AuditRecord.own(
                    clock.instant(),
                    MISSED,
                    Outcome.FAILED,
                    Detail.after("count", Long.toString(count)))))) {
      missed.addAndGet(-count);
    }
  }

  /// Writes what waits, and takes no more.
  @Override
  public synchronized void close() {
    ended = true;
    Thread running = thread;
    if (running != null) {
      IntervalThread.awaitEnd(running, PATIENCE_AT_END);
      thread = null;
    }
  }
}

package io.coppice.vasa.audit.syslog;

import io.coppice.vasa.audit.AuditEntry;
import io.coppice.vasa.audit.AuditTrail;
import io.coppice.vasa.time.IntervalThread;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The sender of the trail to a syslog server, in a thread of its own. It reads entries behind its
/// position from the database and sends them in their order. So its queue is the trail, and a
/// server that is away, or hangs, holds nobody up.
///
/// Syslog has no answers. What was sent less than [#SETTLED] before a connection broke counts as
/// not sent, and is sent again: the server may get an entry twice, with the same number. Entries
/// that were removed for their age before they could be sent are lost; they are counted, and an
/// entry says which.
public final class SyslogForwarder implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(SyslogForwarder.class);

  private static final int AT_ONCE = 100;
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
  private static final Duration PATIENCE_AT_END = Duration.ofSeconds(10);

  /// Time for which a connection must outlive what was sent over it.
  static final Duration SETTLED = Duration.ofSeconds(5);

  private final AuditTrail trail;
  private final SyslogPosition position;
  private final SyslogSettings settings;
  private final SyslogFormat format;
  private final BooleanSupplier usable;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ScheduledExecutorService guard =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("syslog-guard").daemon(true).factory());

  private @Nullable Thread thread;
  private volatile @Nullable String obstacle;

  /// Whether the last session had a connection; of the thread.
  private boolean connected;

  /// @param host name of this machine in the messages
  /// @param usable whether the database is in use
  public SyslogForwarder(
      AuditTrail trail,
      JdbcClient jdbc,
      SyslogSettings settings,
      String host,
      BooleanSupplier usable) {
    this.trail = trail;
    this.position = new SyslogPosition(jdbc);
    this.settings = settings;
    this.format = new SyslogFormat(host, ProcessHandle.current().pid(), settings);
    this.usable = usable;
  }

  /// Starts sending, if there is a server.
  public synchronized void start() {
    if (settings.isOn() && thread == null) {
      thread = Thread.ofPlatform().name("syslog").daemon(true).start(this::run);
    }
  }

  /// Why entries do not reach the server now, in one sentence; empty if they do, or there is none.
  public Optional<String> obstacle() {
    return Optional.ofNullable(obstacle);
  }

  /// Entries that were removed before they could be sent.
  public long lost() {
    return position.lost();
  }

  private void run() {
    Duration pause = FIRST_PAUSE;
    while (!isClosed(pause.equals(FIRST_PAUSE) ? LOOK : pause)) {
      try {
        if (usable.getAsBoolean()) {
          session();
        }
        pause = FIRST_PAUSE;
      } catch (IOException e) {
        pause = connected ? FIRST_PAUSE : longer(pause);
        report(e);
      } catch (RuntimeException | Error e) { // the thread must outlive whatever one session meets
        pause = longer(pause);
        log.atWarn().setCause(e).log("the audit trail's way to syslog failed and is tried again");
      }
    }
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
  }

  private void report(IOException e) {
    String sentence =
        "The syslog server %s does not take the audit trail: %s."
            .formatted(settings.server(), e.getMessage());
    if (!sentence.equals(obstacle)) {
      log.atWarn().log(sentence);
    }
    obstacle = sentence;
  }

  private boolean isClosed(Duration pause) {
    try {
      return closed.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /// Entries up to a number, and when they were sent.
  private record Sent(long upTo, long nanos) {}

  /// Sends over one connection until it breaks, the database goes, or this is closed.
  private void session() throws IOException {
    connected = false;
    long last = beginning();
    try (SyslogConnection connection = SyslogConnection.open(settings, guard)) {
      connected = true;
      Deque<Sent> underWay = new ArrayDeque<>();
      boolean idle = false;
      while (usable.getAsBoolean() && !isClosed(idle ? LOOK : Duration.ZERO)) {
        connection.requireOpen();
        settle(underWay);
        List<AuditEntry> part = trail.rows().following(last, AT_ONCE);
        idle = part.isEmpty();
        if (!idle) {
          noteLost(last, part);
          connection.send(part.stream().map(format::message).toList());
          last = part.getLast().seq();
          underWay.add(new Sent(last, System.nanoTime()));
        }
        if (obstacle != null) {
          log.atInfo().log("the syslog server {} takes the audit trail", settings.server());
          obstacle = null;
        }
      }
    }
  }

  /// The place to go on from. A server that is new gets what comes from now on.
  private long beginning() {
    return position
        .find()
        .orElseGet(
            () -> {
              long end = trail.lastSeq();
              position.put(end);
              return end;
            });
  }

  private void settle(Deque<Sent> underWay) {
    long before = System.nanoTime() - SETTLED.toNanos();
    Long upTo = null;
    while (!underWay.isEmpty() && underWay.getFirst().nanos() - before <= 0) {
      upTo = underWay.removeFirst().upTo();
    }
    if (upTo != null) {
      position.put(upTo);
    }
  }

  /// Notes what is missing between the last entry and those that follow.
  private void noteLost(long last, List<AuditEntry> part) {
    long before = last;
    for (AuditEntry entry : part) {
      long count = entry.seq() - before - 1;
      if (count > 0) {
        position.lose(entry.seq() - 1, count);
        trail.entries().noteUnsent(before + 1, entry.seq() - 1);
      }
      before = entry.seq();
    }
  }

  /// Ends the sending. What was not sent is sent after the next start.
  @Override
  public synchronized void close() {
    closed.countDown();
    Thread running = thread;
    if (running != null) {
      IntervalThread.awaitEnd(running, PATIENCE_AT_END);
      thread = null;
    }
    guard.shutdownNow();
  }
}

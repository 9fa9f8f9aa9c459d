package io.coppice.vasa.audit;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.testing.TestClock;
import io.coppice.vasa.testing.TestDatabase;
import io.coppice.vasa.time.ClockSettings;
import io.coppice.vasa.time.SeenTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

/// A trail over a real database and a pool in memory. Its process may end and begin anew.
public final class AuditSite implements AutoCloseable {

  static final AuditKey KEY = AuditKey.of(key(7));

  static final Author WALKER = new Author("walker", "a token", null, "192.0.2.7");

  final TestClock clock = new TestClock();
  final StorageEngine engine;
  final DataSource database;
  final JdbcClient jdbc;
  final AtomicBoolean usable = new AtomicBoolean(true);
  final Path folder;
  AuditTrail trail;

  private final AuditSettings settings;

  public AuditSite(Path folder) {
    this(folder, TestDatabase.fresh(), 1000);
  }

  /// @param entries most that are kept
  AuditSite(Path folder, DataSource database, int entries) {
    this.folder = folder;
    this.database = database;
    engine = new MemoryEngine(1L << 40, clock);
    jdbc = JdbcClient.create(database);
    settings =
        new AuditSettings(
            Duration.ofDays(30), entries, 1 << 20, Duration.ofHours(1), Duration.ofMinutes(10));
    trail = open();
  }

  static byte[] key(int value) {
    byte[] key = new byte[AuditKey.BYTES];
    Arrays.fill(key, (byte) value);
    return key;
  }

  /// A trail, as a start would open it. It does not write yet.
  AuditTrail open() {
    return open(KEY);
  }

  AuditTrail open(AuditKey key) {
    try {
      return new AuditTrail(
          new AuditTrail.Places(
              jdbc,
              new JdbcTransactionManager(database),
              engine.records(),
              new AuditSpool(folder, settings.spoolBytes()),
              usable::get),
          key,
          settings,
          new SeenTime(
              engine.records(),
              clock,
              clock::nanos,
              new ClockSettings(Duration.ofMinutes(1), Duration.ofHours(24))),
          clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  AuditRecord call(String object) {
    return new AuditRecord(
        UUID.randomUUID(),
        clock.instant(),
        Channel.REST,
        WALKER,
        "PATCH /containers/{id}",
        object,
        "a trace",
        Outcome.DONE,
        null,
        List.of(Detail.asked("name", "gold"), Detail.before("name", null)));
  }

  /// Writes calls, each about an object of its own.
  public void write(int count) {
    for (int i = 0; i < count; i++) {
      trail.entries().append(call("object-" + i));
    }
  }

  Verdict verify() {
    return trail.verify();
  }

  public void start() {
    trail.start();
  }

  public AuditTrail trail() {
    return trail;
  }

  public JdbcClient jdbc() {
    return jdbc;
  }

  public ChainHash hashAt(long seq) {
    return trail.rows().headAt(seq).orElseThrow().hash();
  }

  /// An entry about an object, as if it were the first one.
  public AuditEntry entry(String object) {
    return KEY.seal(ChainHead.EMPTY, call(object));
  }

  @Override
  public void close() {
    trail.close();
    engine.close();
  }
}

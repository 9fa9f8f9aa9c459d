package io.coppice.app.pool;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.status.PoolStatus;
import java.sql.Timestamp;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The link between one pool and one database: each holds the other's name.
///
/// A first start writes the row, then the pool's record. A crash between them leaves a row that
/// names this pool and no record; the next start writes the record. A rebuild does the same with a
/// pool that names another database. A crash between its steps leaves a state that only a rebuild
/// accepts, so the rebuild is repeated.
public final class PoolLink {

  static final String RECORD = "control/database";

  private final StorageEngine engine;
  private final JdbcClient jdbc;
  private final InstantSource clock;

  public PoolLink(StorageEngine engine, JdbcClient jdbc, InstantSource clock) {
    this.engine = engine;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /// Whether the pool serves I/O, with the database or without it.
  public PoolStatus poolStatus() {
    return engine.status();
  }

  /// A pool and a database that belong to others: a state that no retry mends.
  public static final class MismatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MismatchException(String message) {
      super(message);
    }
  }

  private record Row(UUID pool, UUID database) {}

  /// Checks the link, or makes it if both sides are new.
  ///
  /// @param rebuild whether a pool that names another database is given to this one, if this one is
  ///   new or names the pool
  /// @throws MismatchException if either names another one
  public void establish(boolean rebuild) {
    UUID pool = engine.pool().id();
    Optional<UUID> known = engine.records().find(RECORD).map(UUID::fromString);
    Optional<Row> row =
        jdbc.sql("SELECT pool_id, database_id FROM pool_link")
            .query((r, _) -> new Row(r.getObject(1, UUID.class), r.getObject(2, UUID.class)))
            .optional();
    if (row.isEmpty()) {
      if (known.isPresent() && !rebuild) {
        throw new MismatchException(
            ("The pool %s belongs to the database %s, but this database is new: point"
                    + " coppice.database.url at the right one, or, if that one is lost, start once"
                    + " with \"coppice rebuild\".")
                .formatted(pool, known.get()));
      }
      row = Optional.of(insert(pool));
    }
    Row link = row.get();
    if (!link.pool().equals(pool)) {
      throw new MismatchException(
          ("The database belongs to the pool %s, but this is the pool %s: point"
                  + " coppice.database.url or coppice.pool.directory at the right one.")
              .formatted(link.pool(), pool));
    }
    boolean linked = known.filter(link.database()::equals).isPresent();
    if (known.isPresent() && !linked && !rebuild) {
      throw new MismatchException(
          ("The pool %s belongs to the database %s, but this is the database %s: point"
                  + " coppice.database.url at the right one, or, if that one is lost, start once"
                  + " with \"coppice rebuild\".")
              .formatted(pool, known.get(), link.database()));
    }
    if (!linked) {
      engine
          .records()
          .apply(
              OperationId.random(),
              List.of(new RecordChange.Put(RECORD, link.database().toString())));
    }
  }

  private Row insert(UUID pool) {
    UUID database = UUID.randomUUID();
    jdbc.sql("INSERT INTO pool_link (pool_id, database_id, since) VALUES (?, ?, ?)")
        .params(pool, database, Timestamp.from(clock.instant()))
        .update();
    return new Row(pool, database);
  }
}

package io.coppice.vasa.event;

import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.viewer.Viewer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// The history of changes, kept in the database up to a number, for administrators. Safe for any
/// thread.
///
/// [ChangeLog] writes changes without an id, so that no transaction waits for another one's. They
/// get their ids here, after their commits, by one transaction at a time, before anybody reads.
/// What has an id is visible, and what becomes visible later has a larger one: whoever reads on
/// from an id misses nothing.
@Service
public final class ChangeHistory {

  /// Changes that get their ids in one transaction.
  private static final int AT_ONCE = 1000;

  private static final String COUNTER = "SELECT last_id FROM event_counter WHERE kind = 'change'";

  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final HistorySettings settings;
  private final AtomicInteger removed = new AtomicInteger();

  public ChangeHistory(
      JdbcClient jdbc, TransactionOperations transactions, HistorySettings settings) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.settings = settings;
  }

  /// Gives ids to changes that have none, and removes the oldest ones that are too many.
  public void settle() {
    boolean more =
        jdbc.sql("SELECT EXISTS (SELECT FROM change_event WHERE id IS NULL)")
            .query(Boolean.class)
            .single();
    while (more) {
      more = Objects.requireNonNull(transactions.execute(_ -> number())) == AT_ONCE;
    }
  }

  /// The lock on the counter's row comes first, so that what others numbered is seen.
  private int number() {
    long last = jdbc.sql(COUNTER + " FOR UPDATE").query(Long.class).single();
    int count =
        jdbc.sql(
                """
                UPDATE change_event c SET id = ? + fresh.place
                FROM (SELECT ctid AS spot, row_number() OVER (ORDER BY seq) AS place
                      FROM change_event WHERE id IS NULL ORDER BY seq LIMIT ?) AS fresh
                WHERE c.ctid = fresh.spot
                """)
            .params(last, AT_ONCE)
            .update();
    jdbc.sql("UPDATE event_counter SET last_id = ? WHERE kind = 'change'")
        .param(last + count)
        .update();
    removed.addAndGet(
        jdbc.sql("DELETE FROM change_event WHERE id <= ?")
            .param(last + count - settings.kept())
            .update());
    return count;
  }

  /// How many changes were removed since the last call, because they were too many.
  public int takeRemoved() {
    return removed.getAndSet(0);
  }

  /// The id of the newest change, kept or not; 0 if there was none.
  public long newestId() {
    settle();
    return jdbc.sql(COUNTER).query(Long.class).single();
  }

  /// Requires that everything after an id is kept.
  ///
  /// @throws VasaException (LostEvent) if it is not, or the id was never given
  public void requireKeptAfter(long id) {
    long newest = newestId();
    long oldest =
        jdbc.sql("SELECT coalesce(min(id), ?) FROM change_event")
            .param(newest + 1)
            .query(Long.class)
            .single();
    if (id > newest || id < oldest - 1) {
      throw new VasaException(
          new Fault.LostEvent(),
          "expected the id of an event from %d to %d, got %d: what followed it is not kept"
              .formatted(oldest - 1, newest, id));
    }
  }

  /// The newest changes of a choice that the current [Viewer] may see, newest first.
  ///
  /// @param before only changes with a smaller id
  /// @param limit most of them
  public List<KeptChange> newest(ChangeFilter filter, long before, int limit) {
    return some(filter, "id < ? ORDER BY id DESC", before, limit);
  }

  /// Kept changes of a choice that the current [Viewer] may see after an id, in the order of their
  /// ids.
  ///
  /// @param limit most of them
  public List<KeptChange> following(ChangeFilter filter, long lastId, int limit) {
    return some(filter, "id > ? ORDER BY id", lastId, limit);
  }

  private List<KeptChange> some(ChangeFilter filter, String condition, long id, int limit) {
    settle();
    ChangeTopic topic = filter.topic();
    String type = topic == null ? null : topic.text();
    List<@Nullable Object> values = new ArrayList<>();
    Collections.addAll(
        values,
        filter.actor(),
        filter.actor(),
        ids(filter.object()),
        ids(filter.object()),
        type,
        type,
        time(filter.since()),
        time(filter.since()),
        time(filter.until()),
        time(filter.until()),
        id,
        limit);
    return jdbc.sql(
            """
            SELECT * FROM change_event
            WHERE (CAST(? AS text) IS NULL OR ? IN (actor_name, actor_kind))
              AND (CAST(? AS text[]) IS NULL OR object_id = ANY (?))
              AND (CAST(? AS text) IS NULL OR type = ?)
              AND (CAST(? AS timestamptz) IS NULL OR at >= ?)
              AND (CAST(? AS timestamptz) IS NULL OR at < ?)
              AND %s AND %s LIMIT ?
            """
                .formatted(Viewer.sees("change_event.container_id"), condition))
        .params(values)
        .query((row, _) -> change(row))
        .list();
  }

  private static String @Nullable [] ids(@Nullable String object) {
    return object == null ? null : new String[] {object, "rfc4122." + object};
  }

  private static @Nullable Timestamp time(@Nullable Instant time) {
    return time == null ? null : Timestamp.from(time);
  }

  private static KeptChange change(ResultSet row) throws SQLException {
    return new KeptChange(
        row.getLong("id"),
        row.getTimestamp("at").toInstant(),
        actor(row),
        row.getString("type"),
        row.getString("change"),
        row.getString("object_type"),
        row.getString("object_id"),
        row.getString("message_id"),
        EventCounter.parameters(row),
        EventCounter.list(row.getArray("virtual_volumes")));
  }

  private static @Nullable Actor actor(ResultSet row) throws SQLException {
    String kind = row.getString("actor_kind");
    return kind == null
        ? null
        : new Actor(
            Arrays.stream(Actor.Kind.values())
                .filter(one -> one.text().equals(kind))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no kind of actor is " + kind)),
            row.getString("actor_name"),
            row.getString("trace_id"));
  }
}

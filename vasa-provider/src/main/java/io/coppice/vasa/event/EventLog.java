package io.coppice.vasa.event;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.viewer.Viewer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// The events, kept in the database up to a number. Safe for any thread.
@Service
public final class EventLog {

  private static final String COLUMNS =
      "id, at, type, config_type, object_type, object_id, message_id, audience, trust_set,"
          + " containers, virtual_volumes, parameter_names, parameter_values";

  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final EventSettings settings;
  private final EventCounter counter;
  private final ChangeLog changes;
  private final InstantSource clock;

  public EventLog(
      JdbcClient jdbc,
      TransactionOperations transactions,
      EventSettings settings,
      InstantSource clock) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.settings = settings;
    this.counter = new EventCounter(jdbc, "event", settings.kept());
    this.changes = new ChangeLog(jdbc, clock);
    this.clock = clock;
  }

  /// Adds an event, for clients and for administrators; it becomes visible when the caller's
  /// transaction ends, or at once without one.
  public void append(NewEvent event) {
    append(List.of(event));
  }

  /// As [#append(NewEvent)], with more parameters for administrators, such as names.
  public void append(NewEvent event, Map<String, String> named) {
    transactions.executeWithoutResult(
        _ -> {
          appendForClients(event);
          changes.append(NewChange.of(event, named));
        });
  }

  /// Adds an event for clients alone: of a change that administrators see as another one, or of
  /// none, where clients are told again.
  public void appendForClients(NewEvent event) {
    transactions.executeWithoutResult(_ -> insert(counter.next(1), List.of(event)));
  }

  /// As [#append(NewEvent)], several in their order: three statements for [EventCounter#AT_ONCE] of
  /// them.
  public void append(List<NewEvent> events) {
    for (List<NewEvent> part : EventCounter.parts(events)) {
      transactions.executeWithoutResult(
          _ -> {
            insert(counter.next(part.size()), part);
            changes.append(part.stream().map(one -> NewChange.of(one, Map.of())).toList());
          });
    }
  }

  private void insert(long first, List<NewEvent> events) {
    Timestamp now = Timestamp.from(clock.instant());
    List<@Nullable Object> values = new ArrayList<>();
    long id = first;
    for (NewEvent event : events) {
      Collections.addAll(
          values,
          id++,
          now,
          event.type().wireName(),
          event.changeName().orElse(null),
          event.objectTypeText().orElse(null),
          event.objectId(),
          event.messageId(),
          event.audience(),
          event.registration(),
          event.containers().toArray(UUID[]::new),
          event.virtualVolumes().toArray(String[]::new),
          EventCounter.names(event.parameters()),
          EventCounter.values(event.parameters()));
    }
    counter.insert(COLUMNS, events.size(), values);
  }

  /// Events after `lastId` that a peer may see and wants, in id order, up to a number; the current
  /// [Viewer] reads on behalf of the peer. A client that got some asks again.
  ///
  /// @param lastId the last one the client has; -1: from the oldest kept on
  /// @param guid the peer
  /// @param types wire names of the wanted types; empty: all
  /// @throws VasaException (InvalidArgument) below -1, (LostEvent) if what lies between is not kept
  public List<Event> after(long lastId, String guid, Set<String> types) {
    if (lastId < -1) {
      throw VasaException.invalidArgument("expected a lastEventId of -1 or more, got " + lastId);
    }
    if (!counter.continuesAt(lastId)) {
      throw new VasaException(
          new Fault.LostEvent(), "events after %d are not kept any more".formatted(lastId));
    }
    return jdbc.sql(
            """
            SELECT id, at, type, config_type, object_type, object_id, message_id,
              virtual_volumes, parameter_names, parameter_values
            FROM event
            WHERE id > ? AND (audience IS NULL OR audience = ?) AND (? OR type = ANY (?))
              AND %s
              AND (containers = '{}' OR EXISTS (SELECT FROM unnest(containers) c(id) WHERE %s))
            ORDER BY id LIMIT ?
            """
                .formatted(Viewer.isAddressed("trust_set"), Viewer.sees("c.id")))
        .param(lastId)
        .param(guid)
        .param(types.isEmpty())
        .param(types.toArray(String[]::new))
        .param(settings.perReply())
        .query((row, _) -> event(row))
        .list();
  }

  /// The newest events of every type and audience, newest first.
  ///
  /// @param before only events with a smaller id
  /// @param limit most of them
  public List<Event> newest(long before, int limit) {
    return some("id < ? ORDER BY id DESC", before, limit);
  }

  /// Kept events after `lastId` of every type and audience, in id order.
  ///
  /// @param limit most of them
  public List<Event> following(long lastId, int limit) {
    return some("id > ? ORDER BY id", lastId, limit);
  }

  private List<Event> some(String condition, long id, int limit) {
    return jdbc.sql(
            """
            SELECT id, at, type, config_type, object_type, object_id, message_id,
              virtual_volumes, parameter_names, parameter_values
            FROM event WHERE %s LIMIT ?
            """
                .formatted(condition))
        .param(id)
        .param(limit)
        .query((row, _) -> event(row))
        .list();
  }

  private static Event event(ResultSet row) throws SQLException {
    return new Event(
        row.getLong("id"),
        row.getTimestamp("at").toInstant(),
        EventType.ofWireName(row.getString("type")),
        row.getString("config_type"),
        row.getString("object_type"),
        row.getString("object_id"),
        row.getString("message_id"),
        EventCounter.parameters(row),
        EventCounter.list(row.getArray("virtual_volumes")));
  }
}

package io.coppice.vasa.event;

import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.audit.ChangeNotes;
import java.sql.Timestamp;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// The log into which features write what they change, with the [Actor] of the running code.
/// [ChangeHistory] reads it. Safe for any thread.
@Service
public final class ChangeLog {

  private static final Logger log = LoggerFactory.getLogger(ChangeLog.class);

  private static final int COLUMNS = 13;
  private static final int AT_ONCE = 1000;

  private final JdbcClient jdbc;
  private final InstantSource clock;
  private final List<Consumer<NewChange>> listeners = new CopyOnWriteArrayList<>();

  public ChangeLog(JdbcClient jdbc, InstantSource clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /// Calls a listener with each change that is written here, once it is visible. The listener does
  /// not wait, and a change that is lost with its transaction does not reach it.
  public void whenVisible(Consumer<NewChange> listener) {
    listeners.add(listener);
  }

  /// Writes a change; it becomes visible when the caller's transaction ends, or at once without
  /// one.
  public void append(NewChange change) {
    append(List.of(change));
  }

  /// As [#append(NewChange)], several in their order: one statement for 1000 of them.
  public void append(List<NewChange> changes) {
    for (int from = 0; from < changes.size(); from += AT_ONCE) {
      insert(changes.subList(from, Math.min(changes.size(), from + AT_ONCE)));
    }
    if (!listeners.isEmpty()) {
      List<NewChange> written = List.copyOf(changes);
      whenCommitted(() -> listeners.forEach(written::forEach));
    }
  }

  private static void whenCommitted(Runnable work) {
    if (TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void afterCommit() {
              work.run();
            }
          });
    } else {
      work.run();
    }
  }

  /// Writes a change that has happened outside of the database. If the database is away, the log of
  /// the process has it, and the caller goes on.
  public void note(NewChange change) {
    try {
      append(change);
    } catch (DataAccessException | TransactionException e) {
      missed(change);
    }
  }

  /// Leaves a change to the log of the process alone.
  public void missed(NewChange change) {
    log.atWarn()
        .addKeyValue("message", change.messageId())
        .addKeyValue("object", change.objectId())
        .addKeyValue("by", Actor.current().name())
        .log("a change is not among the events, since the database is away");
  }

  private void insert(List<NewChange> changes) {
    Actor actor = Actor.current();
    Timestamp now = Timestamp.from(clock.instant());
    List<@Nullable Object> values = new ArrayList<>();
    for (NewChange change : changes) {
      ChangeNotes.note(change.messageId(), change.parameters());
      ChangeKind kind = change.kind();
      ObjectType type = change.objectType();
      Collections.addAll(
          values,
          now,
          actor.kind().text(),
          actor.name(),
          actor.trace(),
          change.topic().text(),
          kind == null ? null : kind.wireName(),
          type == null ? null : type.text(),
          change.objectId(),
          change.messageId(),
          change.virtualVolumes().toArray(String[]::new),
          EventCounter.names(change.parameters()),
          EventCounter.values(change.parameters()),
          change.container());
    }
    String row = String.join(", ", Collections.nCopies(COLUMNS, "?"));
    String all = String.join("), (", Collections.nCopies(changes.size(), row));
    jdbc.sql(
            """
            INSERT INTO change_event (at, actor_kind, actor_name, trace_id, type, change,
              object_type, object_id, message_id, virtual_volumes,
              parameter_names, parameter_values, container_id)
            VALUES (%s)
            """
                .formatted(all))
        .params(values)
        .update();
  }
}

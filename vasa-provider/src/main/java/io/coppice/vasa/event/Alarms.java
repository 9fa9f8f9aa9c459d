package io.coppice.vasa.event;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// The alarms: one state per (object, type), and the history that clients poll. Safe for any
/// thread.
@Service
public final class Alarms {

  private final JdbcClient jdbc;
  private final TransactionOperations transactions;
  private final EventSettings settings;
  private final EventCounter counter;
  private final InstantSource clock;

  public Alarms(
      JdbcClient jdbc,
      TransactionOperations transactions,
      EventSettings settings,
      InstantSource clock) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.settings = settings;
    this.counter = new EventCounter(jdbc, "alarm", settings.kept());
    this.clock = clock;
  }

  /// What an alarm is about.
  ///
  /// @param type `AlarmTypeEnum` value
  /// @param objectType `EntityTypeEnum` value
  /// @param containerId storage container of the object
  public record Subject(
      String type, String objectType, String objectId, @Nullable String containerId) {}

  /// Says in which state something is, and by which message. Nothing is added if both are known;
  /// Green is added only to end an alarm.
  ///
  /// @return whether it is news
  public boolean report(
      Subject subject, Alarm.Status status, String messageId, Map<String, String> parameters) {
    Boolean news =
        transactions.execute(
            _ -> {
              counter.lock();
              if (isKnown(subject, status, messageId)) {
                return false;
              }
              insert(counter.next(), subject, status, messageId, parameters);
              return true;
            });
    return Boolean.TRUE.equals(news);
  }

  /// Alarms after `lastId`, in id order, up to a number.
  ///
  /// @throws VasaException (InvalidArgument) below -1, (LostAlarm) if what lies between is not kept
  public List<Alarm> after(long lastId) {
    if (lastId < -1) {
      throw VasaException.invalidArgument("expected a lastAlarmId of -1 or more, got " + lastId);
    }
    if (!counter.continuesAt(lastId)) {
      throw new VasaException(
          new Fault.LostAlarm(), "alarms after %d are not kept any more".formatted(lastId));
    }
    return jdbc.sql("SELECT * FROM alarm WHERE id > ? ORDER BY id LIMIT ?")
        .param(lastId)
        .param(settings.perReply())
        .query((row, _) -> alarm(row))
        .list();
  }

  /// Alarms that are not Green now, oldest first.
  public List<Alarm> active() {
    return jdbc.sql(
            """
            SELECT * FROM (
              SELECT DISTINCT ON (object_id, type) * FROM alarm ORDER BY object_id, type, id DESC
            ) newest WHERE status <> 'Green' ORDER BY id
            """)
        .query((row, _) -> alarm(row))
        .list();
  }

  private boolean isKnown(Subject subject, Alarm.Status status, String messageId) {
    return jdbc.sql(
            """
            SELECT * FROM alarm WHERE object_id = ? AND type = ? ORDER BY id DESC LIMIT 1
            """)
        .params(subject.objectId(), subject.type())
        .query((row, _) -> alarm(row))
        .optional()
        .map(
            now ->
                now.status() == status
                    && (status == Alarm.Status.GREEN || now.messageId().equals(messageId)))
        .orElse(status == Alarm.Status.GREEN);
  }

  private void insert(
      long id,
      Subject subject,
      Alarm.Status status,
      String messageId,
      Map<String, String> parameters) {
    jdbc.sql(
            """
            INSERT INTO alarm (id, at, type, status, object_type, object_id, container_id,
              message_id, parameter_names, parameter_values)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        .param(id)
        .param(Timestamp.from(clock.instant()))
        .param(subject.type())
        .param(status.wireName())
        .param(subject.objectType())
        .param(subject.objectId())
        .param(subject.containerId())
        .param(messageId)
        .param(EventCounter.names(parameters))
        .param(EventCounter.values(parameters))
        .update();
  }

  private static Alarm alarm(ResultSet row) throws SQLException {
    return new Alarm(
        row.getLong("id"),
        row.getTimestamp("at").toInstant(),
        row.getString("type"),
        Alarm.Status.ofWireName(row.getString("status")),
        row.getString("object_type"),
        row.getString("object_id"),
        row.getString("container_id"),
        row.getString("message_id"),
        EventCounter.parameters(row));
  }
}

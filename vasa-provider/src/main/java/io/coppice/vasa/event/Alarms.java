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
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// The alarms: one state per (object, type), and the history that clients poll. Safe for any
/// thread.
@Service
public final class Alarms {

  private static final String COLUMNS =
      "id, at, type, status, object_type, object_id, container_id, message_id,"
          + " parameter_names, parameter_values";

  /// The column is a text.
  private static final String CONTAINER =
      "CASE WHEN a.container_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'"
          + " THEN CAST(a.container_id AS uuid) END";

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

  /// The subject of an alarm.
  ///
  /// @param type `AlarmTypeEnum` value
  /// @param objectType `EntityTypeEnum` value
  /// @param containerId storage container of the object
  public record Subject(
      String type, String objectType, String objectId, @Nullable String containerId) {}

  /// The state of a subject, with its message.
  public record Report(
      Subject subject,
      RaisedAlarm.Status status,
      String messageId,
      Map<String, String> parameters) {

    /// @param message last part of its key in the Alarm catalog
    public static Report of(
        Subject subject,
        RaisedAlarm.Status status,
        String message,
        Map<String, String> parameters) {
      return new Report(subject, status, "io.coppice.alarm." + message, parameters);
    }

    /// Whether it differs from the last alarm of its subject; null for none. Green ends an alarm,
    /// whatever its message.
    public boolean differsFrom(@Nullable RaisedAlarm last) {
      RaisedAlarm.Status before = last == null ? RaisedAlarm.Status.GREEN : last.status();
      return status != before
          || (last != null
              && status != RaisedAlarm.Status.GREEN
              && !messageId.equals(last.messageId()));
    }
  }

  /// Reports one subject, as [#report(List)] does.
  ///
  /// @return whether it is news
  public boolean report(
      Subject subject,
      RaisedAlarm.Status status,
      String messageId,
      Map<String, String> parameters) {
    return report(List.of(new Report(subject, status, messageId, parameters))) > 0;
  }

  /// Reports the states of subjects, each subject once. Adds nothing for a subject whose state and
  /// message are known, and adds Green only to end an alarm. Takes a few statements for
  /// [EventCounter#AT_ONCE] subjects.
  ///
  /// @return how many are news
  public int report(List<Report> reports) {
    int news = 0;
    for (List<Report> part : EventCounter.parts(reports)) {
      Integer added = transactions.execute(_ -> add(part));
      news += added == null ? 0 : added;
    }
    return news;
  }

  private int add(List<Report> reports) {
    counter.lock();
    Map<Key, RaisedAlarm> known = newest(reports);
    List<Report> news =
        reports.stream()
            .filter(report -> report.differsFrom(known.get(Key.of(report.subject()))))
            .toList();
    if (!news.isEmpty()) {
      insert(counter.next(news.size()), news);
    }
    return news.size();
  }

  /// Alarms after `lastId` that the current [Viewer] may see, in id order, up to a number.
  ///
  /// @throws VasaException (InvalidArgument) below -1, (LostAlarm) if what lies between is not kept
  public List<RaisedAlarm> after(long lastId) {
    if (lastId < -1) {
      throw VasaException.invalidArgument("expected a lastAlarmId of -1 or more, got " + lastId);
    }
    if (!counter.continuesAt(lastId)) {
      throw new VasaException(
          new Fault.LostAlarm(), "alarms after %d are not kept any more".formatted(lastId));
    }
    return jdbc.sql(
            "SELECT * FROM alarm a WHERE id > ? AND %s ORDER BY id LIMIT ?"
                .formatted(Viewer.sees(CONTAINER)))
        .param(lastId)
        .param(settings.perReply())
        .query((row, _) -> alarm(row))
        .list();
  }

  /// Alarms that are not Green now, oldest first.
  public List<RaisedAlarm> active() {
    return jdbc.sql(
            """
            SELECT * FROM (
              SELECT DISTINCT ON (object_id, type) * FROM alarm ORDER BY object_id, type, id DESC
            ) newest WHERE status <> 'Green' ORDER BY id
            """)
        .query((row, _) -> alarm(row))
        .list();
  }

  /// The number of objects with an alarm of a type that is not Green now.
  public int countActive(String type) {
    return jdbc.sql(
            """
            SELECT count(*) FROM (
              SELECT DISTINCT ON (object_id) status FROM alarm WHERE type = ?
               ORDER BY object_id, id DESC
            ) newest WHERE status <> 'Green'
            """)
        .param(type)
        .query(Integer.class)
        .single();
  }

  /// The state of one thing, if it is not Green.
  public Optional<RaisedAlarm> activeOf(String type, String objectId) {
    return jdbc.sql("SELECT * FROM alarm WHERE object_id = ? AND type = ? ORDER BY id DESC LIMIT 1")
        .params(objectId, type)
        .query((row, _) -> alarm(row))
        .optional()
        .filter(alarm -> alarm.status() != RaisedAlarm.Status.GREEN);
  }

  /// An object and a type of alarm, which together have one state.
  private record Key(String objectId, String type) {

    static Key of(Subject subject) {
      return new Key(subject.objectId(), subject.type());
    }
  }

  /// The last alarms of what is reported.
  private Map<Key, RaisedAlarm> newest(List<Report> reports) {
    return jdbc
        .sql(
            """
            SELECT a.* FROM unnest(CAST(? AS text[]), CAST(? AS text[])) AS s (object_id, type)
            CROSS JOIN LATERAL (
              SELECT * FROM alarm WHERE object_id = s.object_id AND type = s.type
              ORDER BY id DESC LIMIT 1) AS a
            """)
        .param(texts(reports, Subject::objectId))
        .param(texts(reports, Subject::type))
        .query((row, _) -> alarm(row))
        .list()
        .stream()
        .collect(
            Collectors.toMap(
                alarm -> new Key(alarm.objectId(), alarm.type()),
                Function.identity(),
                (a, _) -> a));
  }

  private static String[] texts(List<Report> reports, Function<Subject, String> text) {
    return reports.stream().map(report -> text.apply(report.subject())).toArray(String[]::new);
  }

  private void insert(long first, List<Report> news) {
    Timestamp now = Timestamp.from(clock.instant());
    List<@Nullable Object> values = new ArrayList<>();
    long id = first;
    for (Report report : news) {
      Subject subject = report.subject();
      Collections.addAll(
          values,
          id++,
          now,
          subject.type(),
          report.status().wireName(),
          subject.objectType(),
          subject.objectId(),
          subject.containerId(),
          report.messageId(),
          EventCounter.names(report.parameters()),
          EventCounter.values(report.parameters()));
    }
    counter.insert(COLUMNS, news.size(), values);
  }

  private static RaisedAlarm alarm(ResultSet row) throws SQLException {
    return new RaisedAlarm(
        row.getLong("id"),
        row.getTimestamp("at").toInstant(),
        row.getString("type"),
        RaisedAlarm.Status.ofWireName(row.getString("status")),
        row.getString("object_type"),
        row.getString("object_id"),
        row.getString("container_id"),
        row.getString("message_id"),
        EventCounter.parameters(row));
  }
}

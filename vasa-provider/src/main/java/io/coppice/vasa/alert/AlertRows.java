package io.coppice.vasa.alert;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The rows of alerts.
public final class AlertRows {

  private final JdbcClient jdbc;

  public AlertRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  List<Alert> all() {
    return jdbc.sql("SELECT * FROM alert").query((row, _) -> alert(row)).list();
  }

  /// The alerts of these ids that have rows; the value says whether the row is of a resolved one.
  Map<UUID, Boolean> known(Collection<UUID> ids) {
    Map<UUID, Boolean> known = new HashMap<>();
    jdbc.sql("SELECT id, resolved IS NOT NULL AS resolved FROM alert WHERE id = ANY (?)")
        .param(ids.toArray(UUID[]::new))
        .query(
            row -> {
              known.put(row.getObject("id", UUID.class), row.getBoolean("resolved"));
            });
    return known;
  }

  /// Writes alerts, each over its former row. Resolved ones come first, because a key belongs to
  /// one that is not.
  void save(Collection<Alert> alerts) {
    alerts.stream().filter(alert -> alert.resolved() != null).forEach(this::save);
    alerts.stream().filter(alert -> alert.resolved() == null).forEach(this::save);
  }

  private void save(Alert alert) {
    Map<String, String> parameters = new TreeMap<>(alert.parameters());
    Alert.Acknowledgement known = alert.acknowledgement();
    List<@Nullable Object> values = new ArrayList<>();
    Collections.addAll(
        values,
        alert.id(),
        alert.source(),
        alert.key(),
        alert.severity().text(),
        alert.about().kind(),
        alert.about().id(),
        alert.about().name(),
        alert.about().container(),
        alert.message(),
        parameters.keySet().toArray(String[]::new),
        parameters.values().toArray(String[]::new),
        time(alert.since()),
        alert.announced(),
        time(alert.resolved()),
        known == null ? null : known.by(),
        known == null ? null : time(known.at()),
        known == null ? null : known.note(),
        time(alert.mutedUntil()));
    jdbc.sql(
            """
            INSERT INTO alert (id, source, key, severity, object_kind, object_id, object_name,
              container_id, message, parameter_names, parameter_values, since, announced, resolved,
              acknowledged_by, acknowledged_at, note, muted_until)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET severity = excluded.severity,
              object_name = excluded.object_name, message = excluded.message,
              parameter_names = excluded.parameter_names,
              parameter_values = excluded.parameter_values, announced = excluded.announced,
              resolved = excluded.resolved, acknowledged_by = excluded.acknowledged_by,
              acknowledged_at = excluded.acknowledged_at, note = excluded.note,
              muted_until = excluded.muted_until
            """)
        .params(values)
        .update();
  }

  void delete(Collection<UUID> ids) {
    if (!ids.isEmpty()) {
      jdbc.sql("DELETE FROM alert WHERE id = ANY (?)").param(ids.toArray(UUID[]::new)).update();
    }
  }

  private static @Nullable Timestamp time(@Nullable Instant at) {
    return at == null ? null : Timestamp.from(at);
  }

  private static Alert alert(ResultSet row) throws SQLException {
    String by = row.getString("acknowledged_by");
    Instant at = instant(row, "acknowledged_at");
    return new Alert(
        row.getObject("id", UUID.class),
        row.getString("source"),
        row.getString("key"),
        AlertSeverity.parse(row.getString("severity")).orElse(AlertSeverity.CRITICAL),
        new AlertSubject(
            row.getString("object_kind"),
            row.getString("object_id"),
            row.getString("object_name"),
            row.getObject("container_id", UUID.class)),
        row.getString("message"),
        parameters(row),
        row.getTimestamp("since").toInstant(),
        row.getBoolean("announced"),
        instant(row, "resolved"),
        by == null || at == null ? null : new Alert.Acknowledgement(by, at, row.getString("note")),
        instant(row, "muted_until"));
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    Timestamp time = row.getTimestamp(column);
    return time == null ? null : time.toInstant();
  }

  private static Map<String, String> parameters(ResultSet row) throws SQLException {
    String[] names = texts(row.getArray("parameter_names"));
    String[] values = texts(row.getArray("parameter_values"));
    Map<String, String> parameters = new HashMap<>();
    for (int i = 0; i < names.length; i++) {
      parameters.put(names[i], values[i]);
    }
    return parameters;
  }

  private static String[] texts(Array array) throws SQLException {
    return (String[]) array.getArray();
  }
}

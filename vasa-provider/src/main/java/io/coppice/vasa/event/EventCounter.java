package io.coppice.vasa.event;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Ids of one table, and the forms that both tables share.
final class EventCounter {

  /// Rows of one statement, which may have 65,535 parameters.
  static final int AT_ONCE = 1000;

  /// How many rows may be over the limit before they are removed.
  private static final int SLACK = 64;

  private final JdbcClient jdbc;
  private final String kind;
  private final int kept;

  /// @param kind `event` or `alarm`: the counter's row and the table's name
  EventCounter(JdbcClient jdbc, String kind, int kept) {
    this.jdbc = jdbc;
    this.kind = kind;
    this.kept = kept;
  }

  /// Lets no other transaction add a row before this one ends.
  void lock() {
    jdbc.sql("SELECT last_id FROM event_counter WHERE kind = ? FOR UPDATE")
        .param(kind)
        .query(Long.class)
        .single();
  }

  /// The next ids; no other transaction gets one before this one ends.
  ///
  /// @return the first of the ids, which follow each other
  long next(int count) {
    long last =
        jdbc.sql("UPDATE event_counter SET last_id = last_id + ? WHERE kind = ? RETURNING last_id")
            .param(count)
            .param(kind)
            .query(Long.class)
            .single();
    if (last / SLACK != (last - count) / SLACK) {
      jdbc.sql("DELETE FROM " + kind + " WHERE id <= ?").param(last - kept).update();
    }
    return last - count + 1;
  }

  /// Whether everything after `lastId` is still kept and `lastId` was ever given.
  boolean continuesAt(long lastId) {
    if (lastId == -1) {
      return true;
    }
    long newest =
        jdbc.sql("SELECT last_id FROM event_counter WHERE kind = ?")
            .param(kind)
            .query(Long.class)
            .single();
    if (lastId > newest) {
      return false;
    }
    long oldest =
        jdbc.sql("SELECT coalesce(min(id), ?) FROM " + kind)
            .param(newest + 1)
            .query(Long.class)
            .single();
    return lastId >= oldest - 1;
  }

  /// Inserts rows into the table.
  ///
  /// @param values of all rows, each in the order of the columns
  void insert(String columns, int rows, List<@Nullable Object> values) {
    String row = String.join(", ", Collections.nCopies(values.size() / rows, "?"));
    String all = String.join("), (", Collections.nCopies(rows, row));
    jdbc.sql("INSERT INTO %s (%s) VALUES (%s)".formatted(kind, columns, all))
        .params(values)
        .update();
  }

  /// A list in parts of [#AT_ONCE].
  static <T> List<List<T>> parts(List<T> all) {
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += AT_ONCE) {
      parts.add(all.subList(from, Math.min(all.size(), from + AT_ONCE)));
    }
    return parts;
  }

  static String[] names(Map<String, String> parameters) {
    return parameters.keySet().toArray(String[]::new);
  }

  static String[] values(Map<String, String> parameters) {
    return parameters.values().toArray(String[]::new);
  }

  static Map<String, String> parameters(ResultSet row) throws SQLException {
    List<String> names = list(row.getArray("parameter_names"));
    List<String> values = list(row.getArray("parameter_values"));
    Map<String, String> parameters = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      parameters.put(names.get(i), values.get(i));
    }
    return parameters;
  }

  static List<String> list(Array array) throws SQLException {
    return List.of((String[]) array.getArray());
  }
}

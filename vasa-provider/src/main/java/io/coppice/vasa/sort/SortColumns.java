package io.coppice.vasa.sort;

import io.coppice.vasa.sort.RowOrder.Mark;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// The columns that rows are sorted by, and the conditions of SQL that read a part in their order.
///
/// A part begins behind a key and not at a number of rows. So an index leads to it, and rows that
/// come and go before it move nothing.
public final class SortColumns {

  /// @param sql an expression that is never null
  private record Column(String sql, SortKind kind) {}

  private final Column id;
  private final Map<String, Column> columns;

  private SortColumns(Column id, Map<String, Column> columns) {
    this.id = id;
    this.columns = Map.copyOf(columns);
  }

  /// @param id column of the id, which no two rows share
  /// @param kind of the id
  public static SortColumns of(String id, SortKind kind) {
    return new SortColumns(new Column(id, kind), Map.of());
  }

  /// These columns and one more.
  ///
  /// @param field as REST calls it
  /// @param sql expression of the column; where a row lacks the value, -1 or -infinity or empty
  public SortColumns with(String field, String sql, SortKind kind) {
    Map<String, Column> more = new HashMap<>(columns);
    more.put(field, new Column(sql, kind));
    return new SortColumns(id, more);
  }

  /// The condition, from `and` on, that a row is in the part; empty if all are. The place stands in
  /// the text where it can: a plan that the server keeps for all places sorts all rows that may be
  /// behind one, instead of reading on in an index.
  public String behind(RowOrder order) {
    Mark after = order.after();
    if (after == null) {
      return "";
    }
    String than = order.descending() ? "<" : ">";
    Column column = column(order);
    return column.sql().equals(id.sql())
        ? " and %s %s %s".formatted(id.sql(), than, value(id, after.id(), "afterId"))
        : " and (%s, %s) %s (%s, %s)"
            .formatted(
                column.sql(),
                id.sql(),
                than,
                value(column, after.key(), "afterKey"),
                value(id, after.id(), "afterId"));
  }

  private static String value(Column column, String key, String parameter) {
    return column.kind() == SortKind.TEXT ? ":" + parameter : column.kind().literal(key);
  }

  /// The clause that sorts the rows.
  public String orderBy(RowOrder order) {
    String direction = order.descending() ? " desc" : "";
    Column column = column(order);
    return column.sql().equals(id.sql())
        ? " order by %s%s".formatted(id.sql(), direction)
        : " order by %1$s%3$s, %2$s%3$s".formatted(column.sql(), id.sql(), direction);
  }

  /// The parameters of [#behind].
  public Map<String, Object> parameters(RowOrder order) {
    Map<String, Object> parameters = new HashMap<>();
    Mark after = order.after();
    if (after != null) {
      if (column(order).kind() == SortKind.TEXT && !column(order).sql().equals(id.sql())) {
        parameters.put("afterKey", after.key());
      }
      if (id.kind() == SortKind.TEXT) {
        parameters.put("afterId", after.id());
      }
    }
    return parameters;
  }

  /// The expression that rows are sorted by.
  public String expression(RowOrder order) {
    return column(order).sql();
  }

  private Column column(RowOrder order) {
    return Objects.requireNonNull(columns.get(order.field()), order.field());
  }
}

package io.coppice.cli.verb;

import io.coppice.cli.output.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A way to show objects of one type.
///
/// @param type of the API
/// @param key what `-o name` prints of one: its id
/// @param columns of a table of them
/// @param <T> the type
public record View<T>(
    Class<T> type, Function<T, ? extends @Nullable Object> key, List<Column<T>> columns) {

  public View {
    columns = List.copyOf(columns);
  }

  @SafeVarargs
  public static <T> View<T> of(
      Class<T> type, Function<T, ? extends @Nullable Object> key, Column<T>... columns) {
    List<Column<T>> all = new ArrayList<>();
    for (Column<T> column : columns) {
      all.add(column);
    }
    return new View<>(type, key, all);
  }
}

package io.coppice.cli.output;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A column of a table.
///
/// @param title in capitals
/// @param cell the text of a row, safe for a terminal
/// @param right whether cells stand on the right side, as numbers do
/// @param wide whether only `-o wide` shows it
/// @param <T> what a row is about
public record Column<T>(String title, Function<T, String> cell, boolean right, boolean wide) {

  private static final String NOTHING = "-";

  /// A column of texts, numbers as they are, and lists with commas.
  public static <T> Column<T> of(String title, Function<T, ? extends @Nullable Object> value) {
    return new Column<>(title, row -> text(value.apply(row)), false, false);
  }

  public static <T> Column<T> number(String title, Function<T, ? extends @Nullable Object> value) {
    return new Column<>(title, row -> text(value.apply(row)), true, false);
  }

  /// A column of sizes in bytes, shown with units.
  public static <T> Column<T> size(String title, Function<T, @Nullable Long> value) {
    return new Column<>(title, row -> size(value.apply(row)), true, false);
  }

  /// This column, shown by `-o wide` only.
  public Column<T> onlyWide() {
    return new Column<>(title, cell, right, true);
  }

  private static String size(@Nullable Long bytes) {
    return bytes == null ? NOTHING : ByteSize.text(bytes);
  }

  private static String text(@Nullable Object value) {
    // No switch over types: its first run costs more than the whole table.
    if (value == null || value instanceof Collection<?> all && all.isEmpty()) {
      return NOTHING;
    }
    if (value instanceof Instant time) {
      return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
    if (value instanceof Boolean yes) {
      return yes ? "yes" : "no";
    }
    if (value instanceof Collection<?> all) {
      return all.stream().map(Column::text).collect(Collectors.joining(", "));
    }
    return SafeText.of(value.toString());
  }
}

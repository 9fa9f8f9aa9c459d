package io.coppice.engine.format.table;

import io.coppice.engine.format.ByteSink;
import java.util.Collection;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/// The rows of a table that may be long. Each is made when it is written, so that the table takes
/// the memory of one row.
///
/// @param size number of rows
/// @param source shows them to its argument, in their order; it may be asked more than once
public record Rows<T>(int size, Consumer<Consumer<T>> source) {

  /// A row for each element.
  public static <S, T> Rows<T> of(Collection<S> elements, Function<S, T> row) {
    return new Rows<>(
        elements.size(), taker -> elements.forEach(each -> taker.accept(row.apply(each))));
  }

  /// Writes the number of rows, then each of them.
  void encode(ByteSink out, BiConsumer<T, ByteSink> encoder) {
    out.u32(size);
    source.accept(row -> encoder.accept(row, out));
  }
}

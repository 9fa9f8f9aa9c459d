package io.coppice.cli.output;

import java.util.ArrayList;
import java.util.List;

/// A table with a line of titles and columns as wide as their widest cell.
public final class TextTable {

  private static final String GAP = "  ";

  private TextTable() {}

  /// The lines, each with a line break.
  ///
  /// @param wide whether columns of `-o wide` are shown
  public static <T> String of(List<Column<T>> columns, List<T> rows, boolean wide) {
    List<Column<T>> shown = columns.stream().filter(one -> wide || !one.wide()).toList();
    List<List<String>> lines = new ArrayList<>();
    lines.add(shown.stream().map(Column::title).toList());
    for (T row : rows) {
      lines.add(shown.stream().map(column -> column.cell().apply(row)).toList());
    }
    int[] widths = new int[shown.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], SafeText.width(line.get(i)));
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder cells = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String space = " ".repeat(widths[i] - SafeText.width(line.get(i)));
        cells.append(i == 0 ? "" : GAP);
        cells.append(shown.get(i).right() ? space + line.get(i) : line.get(i) + space);
      }
      text.append(cells.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}

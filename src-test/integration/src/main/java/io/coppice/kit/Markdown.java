package io.coppice.kit;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Tables of Markdown, line by line, so that each row can be printed when it is known.
public final class Markdown {

  private Markdown() {}

  /// The head of a table and the rule below it.
  public static String header(String... columns) {
    return line(Stream.of(columns))
        + "|"
        + String.join("", Collections.nCopies(columns.length, "---|"))
        + "\n";
  }

  public static String row(Object... cells) {
    return line(Stream.of(cells).map(String::valueOf));
  }

  public static String row(List<String> cells) {
    return line(cells.stream());
  }

  private static String line(Stream<String> cells) {
    return cells.collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}

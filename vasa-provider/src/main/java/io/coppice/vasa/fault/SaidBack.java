package io.coppice.vasa.fault;

import java.util.stream.IntStream;

/// Texts of a client as they stand in an answer and in the log: no longer than they need to be, and
/// in one line.
public final class SaidBack {

  private SaidBack() {}

  /// A text of at most `most` characters, the last of which tells whether there were more.
  public static String of(String text, int most) {
    String line = inOneLine(text.substring(0, Math.min(text.length(), most)));
    return text.length() <= most ? line : line + "…";
  }

  private static String inOneLine(String text) {
    IntStream characters =
        text.codePoints()
            .map(c -> Character.isISOControl(c) ? ' ' : c)
            // Half of a pair, where a text was cut: no document may have it.
            .filter(c -> c > Character.MAX_VALUE || !Character.isSurrogate((char) c));
    return characters
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}

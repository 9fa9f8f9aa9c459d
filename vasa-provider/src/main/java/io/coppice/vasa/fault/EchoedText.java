package io.coppice.vasa.fault;

import java.util.stream.IntStream;

/// Texts of a client as answers and the log repeat them: of limited length, and in one line.
public final class EchoedText {

  /// Most characters of a text, unless its place has room for more.
  public static final int USUAL = 100;

  private EchoedText() {}

  /// A text of at most [#USUAL] characters, and `…` if there were more.
  public static String of(String text) {
    return of(text, USUAL);
  }

  /// A text of at most `most` characters, and `…` if there were more.
  public static String of(String text, int most) {
    String line = inOneLine(text.substring(0, Math.min(text.length(), most)));
    return text.length() <= most ? line : line + "…";
  }

  private static String inOneLine(String text) {
    IntStream characters =
        text.codePoints()
            .map(c -> Character.isISOControl(c) ? ' ' : c)
            // Half of a pair, left where a text was cut, would make a document invalid.
            .filter(c -> c > Character.MAX_VALUE || !Character.isSurrogate((char) c));
    return characters
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}

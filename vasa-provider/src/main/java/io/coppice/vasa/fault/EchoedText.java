package io.coppice.vasa.fault;

import java.util.stream.IntStream;

/// Texts of a client as answers and the log repeat them: of limited length, and in one line.
public final class EchoedText {

  private EchoedText() {}

  /// A text of at most `most` characters. The last one tells whether there were more.
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

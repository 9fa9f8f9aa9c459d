package io.coppice.vasa.replication.runbook;

import java.nio.charset.StandardCharsets;

/// A text of bounded length on one line, whoever wrote it: a peer names its groups.
final class ShortText {

  private static final int NAME_BYTES = 240;
  private static final int SENTENCE_BYTES = 300;
  private static final int STUB_BYTES = 80;
  private static final String MORE = "…";

  private ShortText() {}

  static String name(String text) {
    return cut(text, NAME_BYTES);
  }

  static String sentence(String text) {
    return cut(text, SENTENCE_BYTES);
  }

  static String stub(String text) {
    return cut(text, STUB_BYTES);
  }

  /// The text without control characters and halves of pairs, cut to a number of bytes of UTF-8.
  private static String cut(String text, int most) {
    StringBuilder clean = new StringBuilder();
    int bytes = 0;
    int kept = 0; // characters that leave room for the sign of a cut
    for (int at = 0; at < text.length() && bytes <= most; ) {
      int point = text.codePointAt(at);
      at += Character.charCount(point);
      boolean isHalf = point <= Character.MAX_VALUE && Character.isSurrogate((char) point);
      String one = Character.isISOControl(point) || isHalf ? " " : Character.toString(point);
      bytes += bytes(one);
      clean.append(one);
      if (bytes <= most - bytes(MORE)) {
        kept = clean.length();
      }
    }
    return bytes <= most ? clean.toString() : clean.substring(0, kept) + MORE;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}

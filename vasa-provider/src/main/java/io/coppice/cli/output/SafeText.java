package io.coppice.cli.output;

/// Text from elsewhere, made safe for a terminal: what could move the cursor, hide or reorder text
/// is written as an escape with its number, such as `\x1b`.
public final class SafeText {

  private SafeText() {}

  /// The text with every unsafe character escaped; line breaks are unsafe, too.
  public static String of(String text) {
    if (text.codePoints().noneMatch(SafeText::isUnsafe)) {
      return text;
    }
    StringBuilder safe = new StringBuilder();
    text.codePoints().forEach(one -> append(safe, one));
    return safe.toString();
  }

  /// The text of JSON with every unsafe character escaped, as its strings may be, but for the line
  /// breaks between its lines.
  static String inStrings(String notation) {
    StringBuilder safe = new StringBuilder(notation.length());
    for (int i = 0; i < notation.length(); i++) {
      char one = notation.charAt(i);
      if (one != '\n' && one != '\t' && !isSurrogatePair(notation, i) && isUnsafe(one)) {
        safe.append("\\u%04x".formatted((int) one));
      } else {
        safe.append(one);
      }
    }
    return safe.toString();
  }

  private static boolean isSurrogatePair(String text, int at) {
    char one = text.charAt(at);
    return Character.isHighSurrogate(one)
        ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
        : Character.isLowSurrogate(one) && at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
  }

  /// Columns of a terminal that a safe text takes.
  static int width(String safe) {
    return safe.codePoints().map(SafeText::width).sum();
  }

  static boolean isUnsafe(int one) {
    return switch (Character.getType(one)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  private static void append(StringBuilder safe, int one) {
    if (!isUnsafe(one)) {
      safe.appendCodePoint(one);
    } else if (one < 0x100) {
      safe.append("\\x%02x".formatted(one));
    } else {
      safe.append("\\u%04x".formatted(one));
    }
  }

  private static int width(int one) {
    int type = Character.getType(one);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    boolean wide =
        one >= 0x1100
            && (one <= 0x115f
                || one >= 0x2e80 && one <= 0xa4cf
                || one >= 0xac00 && one <= 0xd7a3
                || one >= 0xf900 && one <= 0xfaff
                || one >= 0xfe30 && one <= 0xfe6f
                || one >= 0xff00 && one <= 0xff60
                || one >= 0x1f300 && one <= 0x1faff
                || one >= 0x20000 && one <= 0x3fffd);
    return wide ? 2 : 1;
  }
}

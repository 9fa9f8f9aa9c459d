package io.coppice.vasa.audit;

import org.jspecify.annotations.Nullable;

/// Texts of an entry: bounded, and such that the database gives them back as they were.
final class AuditText {

  private static final char REPLACEMENT = '\uFFFD';
  private static final String CUT = "…";

  private AuditText() {}

  static @Nullable String orNull(@Nullable String text, int longest) {
    return text == null ? null : bounded(text, longest);
  }

  /// The text with what is no character, and each control character, replaced. A text that is too
  /// long is cut, and ends with `…` then.
  ///
  /// @param longest in UTF-16 units
  static String bounded(String text, int longest) {
    StringBuilder plain = new StringBuilder(Math.min(text.length(), longest) + 1);
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      int units = Character.charCount(point);
      if (plain.length() + units > longest - CUT.length() && i + units < text.length()) {
        return plain.append(CUT).toString();
      }
      plain.appendCodePoint(isCharacter(point) ? point : REPLACEMENT);
      i += units;
    }
    return plain.toString();
  }

  private static boolean isCharacter(int point) {
    return !Character.isISOControl(point)
        && !(point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
  }
}

package io.coppice.vasa.sort;

import java.time.Instant;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The kind of a key: a text whose order is that of the values. What has no value has the key "",
/// which comes before all others.
public enum SortKind {
  /// The first 200 characters of a text, in the order of their codes.
  TEXT,
  /// A number from 0.
  NUMBER,
  /// A time from 1970 to 9999, in microseconds.
  TIME,
  /// A UUID, in the order of its text.
  ID;

  /// The end of the year 9999, which the database still knows.
  private static final long LAST_SECOND = 253_402_300_799L;

  private static final Pattern TIME_FORM = Pattern.compile("(\\d{13})\\.(\\d{6})");
  private static final Pattern NUMBER_FORM = Pattern.compile("\\d{19}");
  private static final Pattern ID_FORM =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  /// As much of a text as an entry of an index takes.
  private static final int LONGEST = 200;

  /// As PostgreSQL's left(text, 200), which counts characters and no halves of them.
  public static String key(@Nullable String text) {
    if (text == null) {
      return "";
    }
    return text.codePointCount(0, text.length()) <= LONGEST
        ? text
        : text.substring(0, text.offsetByCodePoints(0, LONGEST));
  }

  public static String key(@Nullable Instant time) {
    return time == null ? "" : "%013d.%06d".formatted(time.getEpochSecond(), time.getNano() / 1000);
  }

  public static String key(long number) {
    return "%019d".formatted(number);
  }

  /// Whether a text is a key of this kind.
  public boolean isKey(String text) {
    return switch (this) {
      case TEXT -> true;
      case NUMBER -> text.isEmpty() || isNumber(text);
      case TIME -> text.isEmpty() || isTime(text);
      case ID -> ID_FORM.matcher(text).matches();
    };
  }

  private static boolean isNumber(String text) {
    return NUMBER_FORM.matcher(text).matches() && text.compareTo(key(Long.MAX_VALUE)) <= 0;
  }

  private static boolean isTime(String text) {
    Matcher parts = TIME_FORM.matcher(text);
    return parts.matches() && Long.parseLong(parts.group(1)) <= LAST_SECOND;
  }

  /// A key as a constant of SQL.
  ///
  /// @param key of this kind, which is no text
  String literal(String key) {
    return switch (this) {
      case NUMBER -> key.isEmpty() ? "-1" : Long.toString(Long.parseLong(key));
      case TIME -> "timestamptz '%s'".formatted(key.isEmpty() ? "-infinity" : time(key));
      case ID -> "uuid '%s'".formatted(UUID.fromString(key));
      case TEXT -> throw new IllegalArgumentException("a text is a parameter of its own");
    };
  }

  private static Instant time(String key) {
    return Instant.ofEpochSecond(
        Long.parseLong(key.substring(0, 13)), 1000L * Integer.parseInt(key.substring(14)));
  }
}

package io.coppice.cli.output;

import io.coppice.cli.failure.CommandFailedException;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A number of bytes as people write it: `10GiB` and `10G` count by 1024, `10GB` by 1000, and
/// `4096` bytes.
public final class ByteSize {

  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,19}(?:\\.\\d{1,9})?) ?(?:([KMGTPE])(iB|B)?|B)?");
  private static final String UNITS = "KMGTPE";

  private ByteSize() {}

  /// @throws CommandFailedException if the text is no size, no whole number of bytes, or 2^63 bytes
  ///   or more
  public static long parse(String option, String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw CommandFailedException.usage(
          "expected %s as a size like 10GiB or 10G (by 1024), 10GB (by 1000) or 4096 (bytes), got"
              + " '%s'",
          option, text);
    }
    String unit = matcher.group(2);
    int power = unit == null ? 0 : UNITS.indexOf(unit) + 1;
    BigDecimal base = BigDecimal.valueOf("B".equals(matcher.group(3)) ? 1000 : 1024);
    try {
      return new BigDecimal(matcher.group(1)).multiply(base.pow(power)).longValueExact();
    } catch (ArithmeticException e) {
      throw CommandFailedException.usage(
          "expected %s as a whole number of bytes below 8 EiB, got '%s'", option, text);
    }
  }

  /// The size with one decimal and a binary unit, such as `1.5 GiB`.
  public static String text(long bytes) {
    double value = bytes;
    int power = 0;
    while (Math.abs(value) >= 1023.95 && power < UNITS.length()) {
      value /= 1024;
      power++;
    }
    return power == 0
        ? bytes + " B"
        : "%.1f %siB".formatted(value, UNITS.charAt(power - 1)).replace(',', '.');
  }

  /// The size for a person who may need the exact number, such as `1.0 GiB (1073741824)`.
  static String exact(long bytes) {
    return bytes < 1024 && bytes > -1024 ? text(bytes) : "%s (%d)".formatted(text(bytes), bytes);
  }
}

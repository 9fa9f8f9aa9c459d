package io.coppice.cli.output;

import io.coppice.cli.failure.CommandFailedException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A length of time as people write it: `15m`, `1h30m`, `7d`, or ISO 8601 such as `PT15M`.
public final class TimeSpan {

  private static final Pattern SHORT =
      Pattern.compile(
          "(?:(\\d{1,6})w)?(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,9})s)?");
  private static final int[] SECONDS = {604_800, 86_400, 3_600, 60, 1};

  private TimeSpan() {}

  /// `PT15M` as `15m`, and `P14D` as `14d`; null stays null.
  public static @Nullable String text(@Nullable String iso) {
    return iso == null
        ? null
        : iso.replaceFirst("^P(T?)", "").replace("T", "").toLowerCase(Locale.ROOT);
  }

  /// @throws CommandFailedException if the text is no length of time
  public static Duration parse(String option, String text) {
    Matcher matcher = SHORT.matcher(text);
    if (!text.isEmpty() && matcher.matches()) {
      Duration sum = Duration.ZERO;
      for (int i = 0; i < SECONDS.length; i++) {
        String number = matcher.group(i + 1);
        sum = number == null ? sum : sum.plusSeconds(Long.parseLong(number) * SECONDS[i]);
      }
      return sum;
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw CommandFailedException.usage(
          "expected %s as a time like 15m, 1h30m, 7d or PT15M, got '%s'", option, text);
    }
  }
}

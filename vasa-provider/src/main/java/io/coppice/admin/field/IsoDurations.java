package io.coppice.admin.field;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.vasa.time.TimeText;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/// Lengths of time as ISO 8601 text: whole days as `P1D`, anything else as `PT15M`.
public final class IsoDurations {

  private IsoDurations() {}

  public static @Nullable String text(@Nullable Duration length) {
    return length == null ? null : TimeText.iso(length);
  }

  /// @throws RequestRejectedException if it is not such a text
  public static @Nullable Duration parse(String field, @Nullable String text) {
    try {
      return text == null ? null : Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw RequestRejectedException.field(
          field, "expected a length of time such as PT15M or P1D, got '%s'".formatted(text));
    }
  }
}

package io.coppice.admin.field;

import io.coppice.admin.problem.RequestRejectedException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The window of recent time that a request asks about.
public final class RecentWindow {

  /// The window without a parameter: now.
  private static final Duration NOW = Duration.ofSeconds(15);

  private RecentWindow() {}

  /// @param window a length of time in ISO 8601; null for the last 15 seconds
  /// @param most the longest one
  /// @throws RequestRejectedException if it is no such length, not positive or longer
  public static Duration parse(@Nullable String window, Duration most) {
    if (window == null) {
      return NOW;
    }
    Duration length = Objects.requireNonNull(IsoDurations.parse("window", window));
    if (!length.isPositive() || length.compareTo(most) > 0) {
      throw RequestRejectedException.field(
          "window", "expected more than 0 s and at most %s, got '%s'".formatted(most, window));
    }
    return length;
  }
}

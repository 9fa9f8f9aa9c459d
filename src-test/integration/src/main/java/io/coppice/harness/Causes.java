package io.coppice.harness;

import java.util.Objects;

/// The causes of a failure, in words.
public final class Causes {

  private Causes() {}

  /// One line: each exception of the chain by its kind, its message and the line of code that threw
  /// it, the first one first.
  public static String of(Throwable failure) {
    StringBuilder line = new StringBuilder(word(failure));
    Throwable cause = failure.getCause();
    while (cause != null) {
      line.append(", caused by ").append(word(cause));
      cause = cause.getCause();
    }
    return line.toString();
  }

  private static String word(Throwable failure) {
    StackTraceElement[] trace = failure.getStackTrace();
    return "%s (%s)%s"
        .formatted(
            Objects.requireNonNullElse(failure.getMessage(), "no message"),
            failure.getClass().getSimpleName(),
            trace.length == 0 ? "" : " at " + trace[0]);
  }
}

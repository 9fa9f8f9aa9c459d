package io.coppice.app.tool.bundle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The gathering of parts, each in its time.
final class TimedParts {

  private TimedParts() {}

  /// Adds all parts to a bundle, or notes why there is none. A part has a thread of its own, so
  /// that one that hangs is given up.
  static void addTo(BundleFile bundle, List<Part> parts, Duration patience) {
    parts.forEach(part -> add(part, bundle, patience));
  }

  private static void add(Part part, BundleFile bundle, Duration patience) {
    FutureTask<String> gathering = new FutureTask<>(part.text()::gather);
    Thread.ofPlatform().daemon(true).name(part.name()).start(gathering);
    String text;
    try {
      text = gathering.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      bundle.leaveOut(part.name(), reason(e.getCause()));
      return;
    } catch (TimeoutException e) {
      bundle.leaveOut(part.name(), "it took more than %d s".formatted(patience.toSeconds()));
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      bundle.leaveOut(part.name(), "interrupted");
      return;
    } finally {
      gathering.cancel(true);
    }
    try {
      bundle.add(part.name(), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String reason(@Nullable Throwable cause) {
    return cause instanceof IOException && cause.getMessage() != null
        ? cause.getMessage()
        : String.valueOf(cause);
  }
}

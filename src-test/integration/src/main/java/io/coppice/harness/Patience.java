package io.coppice.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Patience with a start: it lasts as long as the start reports what it has reached or waits for,
/// whatever the machine's load is. It ends when no such line came for a time, or after ten times
/// that.
///
/// Lines about calls do not count, because the waiting side makes calls.
final class Patience {

  private static final int MOST_TIMES = 10;
  private static final String PROGRESS = "coppice: ";

  private final Path log;
  private final long quiet;
  private final LongSupplier nanos;
  private final long begin;
  private long lastLine;
  private long lines;

  /// @param quiet without a line for so long nothing is waited for any more
  Patience(Path log, Duration quiet) {
    this(log, quiet, System::nanoTime);
  }

  Patience(Path log, Duration quiet, LongSupplier nanos) {
    this.log = log;
    this.quiet = quiet.toNanos();
    this.nanos = nanos;
    this.begin = nanos.getAsLong();
    this.lastLine = begin;
    this.lines = progressLines();
  }

  boolean over() {
    long now = nanos.getAsLong();
    if (now - lastLine <= quiet) {
      return false;
    }
    long counted = progressLines();
    if (counted != lines) {
      lines = counted;
      lastLine = now;
    }
    return now - lastLine > quiet || now - begin > MOST_TIMES * quiet;
  }

  /// Since it began.
  Duration spent() {
    return Duration.ofNanos(nanos.getAsLong() - begin);
  }

  private long progressLines() {
    if (!Files.exists(log)) {
      return 0;
    }
    try (var all = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return all.filter(line -> line.startsWith(PROGRESS)).count();
    } catch (IOException e) {
      return 0;
    }
  }
}

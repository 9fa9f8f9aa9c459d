package io.coppice.app;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/// Says on standard output what the start has reached, with the time since the process began.
final class Stages {

  private final PrintStream out;
  private final InstantSource clock;
  private final Instant begin;

  Stages(PrintStream out, InstantSource clock, Instant begin) {
    this.out = out;
    this.clock = clock;
    this.begin = begin;
  }

  /// Stages of this process.
  static Stages ofThisProcess(PrintStream out, InstantSource clock) {
    return new Stages(
        out, clock, ProcessHandle.current().info().startInstant().orElseGet(clock::instant));
  }

  void reached(String what) {
    double seconds = Duration.between(begin, clock.instant()).toMillis() / 1000.0;
    say(String.format(Locale.ROOT, "%7.2f s  %s", seconds, what));
  }

  void say(String line) {
    synchronized (out) {
      out.println("coppice: " + line);
      out.flush();
    }
  }
}

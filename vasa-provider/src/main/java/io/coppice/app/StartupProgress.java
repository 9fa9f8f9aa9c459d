package io.coppice.app;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/// The stages of a start on standard output: what it has reached and what it waits for, with the
/// time since the process began.
///
/// During a wait a line appears at least every [#QUIET] plus the pause between two looks; after
/// [#PATIENCE] of one wait, at least every [#QUIET_LATER]. Safe for several threads.
final class StartupProgress {

  /// The next look names the wait after this time without a line.
  static final Duration QUIET = Duration.ofSeconds(2);

  static final Duration PATIENCE = Duration.ofMinutes(10);
  static final Duration QUIET_LATER = Duration.ofMinutes(1);

  private static final Duration LOOK = Duration.ofMillis(500);

  private final PrintStream out;
  private final InstantSource clock;
  private final Instant begin;
  private final Set<Wait> waits = new LinkedHashSet<>();
  private Instant lastLine;
  private boolean watched;

  StartupProgress(PrintStream out, InstantSource clock, Instant begin) {
    this.out = out;
    this.clock = clock;
    this.begin = begin;
    this.lastLine = begin;
  }

  /// Stages of this process.
  static StartupProgress ofThisProcess(PrintStream out, InstantSource clock) {
    return new StartupProgress(
        out, clock, ProcessHandle.current().info().startInstant().orElseGet(clock::instant));
  }

  void reached(String what) {
    say(at(clock.instant()) + what);
  }

  private String at(Instant now) {
    double seconds = Duration.between(begin, now).toMillis() / 1000.0;
    return String.format(Locale.ROOT, "%7.2f s  ", seconds);
  }

  synchronized void say(String line) {
    out.println("coppice: " + line);
    out.flush();
    lastLine = clock.instant();
  }

  /// Something that the start waits for, until it is closed.
  final class Wait implements AutoCloseable {

    private final String what;
    private final Supplier<String> progress;
    private final Instant since = clock.instant();

    private Wait(String what, Supplier<String> progress) {
      this.what = what;
      this.progress = progress;
    }

    private String line(Instant now) {
      String how = progress.get();
      return "waiting for %s%s, %d s so far"
          .formatted(
              what,
              how.isEmpty() ? "" : " (" + how + ")",
              Duration.between(since, now).toSeconds());
    }

    private Duration quiet(Instant now) {
      return Duration.between(since, now).compareTo(PATIENCE) < 0 ? QUIET : QUIET_LATER;
    }

    @Override
    public void close() {
      synchronized (StartupProgress.this) {
        waits.remove(this);
        StartupProgress.this.notifyAll();
      }
    }
  }

  /// Begins a wait.
  ///
  /// @param what as in "waiting for ..."
  Wait await(String what) {
    return await(what, () -> "");
  }

  /// @param progress its progress, asked from another thread; empty if unknown
  synchronized Wait await(String what, Supplier<String> progress) {
    Wait wait = new Wait(what, progress);
    waits.add(wait);
    if (!watched) {
      watched = true;
      Thread.ofPlatform().name("stages").daemon(true).start(this::watch);
    }
    return wait;
  }

  private synchronized void watch() {
    try {
      while (!waits.isEmpty()) {
        wait(LOOK.toMillis());
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      watched = false;
    }
  }

  /// Names the wait if no line was written for long. The wait that began last is the most useful
  /// one.
  synchronized void look() {
    Instant now = clock.instant();
    if (!waits.isEmpty()) {
      Wait innermost = java.util.List.copyOf(waits).getLast();
      if (Duration.between(lastLine, now).compareTo(innermost.quiet(now)) >= 0) {
        reached(innermost.line(now));
      }
    }
  }
}

package io.coppice.vasa.session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/// Counts of repeated faults of clients. They let the log have one line for a fault now and then
/// instead of one each time.
///
/// Safe for any thread.
public final class LogThrottle {

  /// Strangers must not fill the memory.
  private static final int REMEMBERED = 1024;

  private final Duration pause;
  private final InstantSource clock;

  // Guarded by this; oldest first.
  private final Map<String, Count> counts =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Count> eldest) {
          return size() > REMEMBERED;
        }
      };

  /// @param pause between two lines about the same fault
  public LogThrottle(Duration pause, InstantSource clock) {
    this.pause = pause;
    this.clock = clock;
  }

  private record Count(Instant logged, long since) {}

  /// Counts one more.
  ///
  /// @return if a line is due, the count since the last line, this one included; otherwise 0
  public synchronized long count(String what) {
    Instant now = clock.instant();
    Count before = counts.get(what);
    if (before == null) {
      counts.put(what, new Count(now, 0));
      return 1;
    }
    // A clock that was set back must not silence the line.
    boolean due = now.isBefore(before.logged()) || !now.isBefore(before.logged().plus(pause));
    counts.put(what, due ? new Count(now, 0) : new Count(before.logged(), before.since() + 1));
    return due ? before.since() + 1 : 0;
  }
}

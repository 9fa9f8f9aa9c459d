package io.coppice.vasa.session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/// Counts of what clients do wrong again and again, so that the log has one line for it now and
/// then and not one each time.
///
/// Safe for any thread.
final class Repeats {

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

  /// @param pause between two lines about the same
  Repeats(Duration pause, InstantSource clock) {
    this.pause = pause;
    this.clock = clock;
  }

  private record Count(Instant told, long since) {}

  /// Counts once more.
  ///
  /// @return how often it was since the last line, now included, if there is to be a line now; 0 if
  ///   not
  synchronized long count(String what) {
    Instant now = clock.instant();
    Count before = counts.get(what);
    if (before == null) {
      counts.put(what, new Count(now, 0));
      return 1;
    }
    // A clock that was set back must not silence it.
    boolean due = now.isBefore(before.told()) || !now.isBefore(before.told().plus(pause));
    counts.put(what, due ? new Count(now, 0) : new Count(before.told(), before.since() + 1));
    return due ? before.since() + 1 : 0;
  }
}

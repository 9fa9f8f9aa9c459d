package io.coppice.scsi.unit;

import io.coppice.engine.VolumeId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The log of who has sent commands to a unit. Safe for any thread.
///
/// A path of an initiator holds its [Visit], so a command looks nothing up here: it compares two
/// times, and writes at most once a second.
public final class ReachLog {

  /// Initiators that are remembered; beyond them the one goes that was quiet for longest.
  public static final int MOST = 64;

  /// An initiator that has sent commands to a unit.
  ///
  /// @param initiator lower-case iSCSI name
  /// @param since its first command
  /// @param lastCommand its last one, to about a second
  public record Visitor(String initiator, Instant since, Instant lastCommand) {}

  /// The logs of all units that somebody reaches. Safe for any thread.
  @FunctionalInterface
  public interface ByVolume {

    /// Those that have reached a volume since it became reachable and may still do so, by their
    /// names; at most [#MOST].
    List<Visitor> of(VolumeId volume);
  }

  private static final long STEP_NANOS = 1_000_000_000L;

  private final InstantSource clock;

  // Guarded by this.
  private final Map<String, Visit> visits = new TreeMap<>();

  ReachLog(InstantSource clock) {
    this.clock = clock;
  }

  /// The commands of one initiator.
  public static final class Visit {

    private final InstantSource clock;
    private final Instant since;
    private volatile Instant last;
    private volatile long lastNanos;

    private Visit(InstantSource clock) {
      this.clock = clock;
      since = clock.instant();
      last = since;
      lastNanos = System.nanoTime();
    }

    /// Notes a command.
    ///
    /// @param nanos now, by [System#nanoTime]
    public void note(long nanos) {
      if (nanos - lastNanos >= STEP_NANOS) {
        lastNanos = nanos;
        last = clock.instant();
      }
    }
  }

  /// The visit of an initiator, which begins now unless it has begun.
  public synchronized Visit enter(String initiator) {
    Visit known = visits.get(initiator);
    if (known != null) {
      return known;
    }
    if (visits.size() >= MOST) {
      visits.entrySet().stream()
          .min(Comparator.comparing(entry -> entry.getValue().last))
          .ifPresent(entry -> visits.remove(entry.getKey()));
    }
    Visit visit = new Visit(clock);
    visits.put(initiator, visit);
    return visit;
  }

  /// Forgets initiators that do not reach the unit any more.
  public synchronized void forget(Collection<String> initiators) {
    initiators.forEach(visits::remove);
  }

  /// All that are remembered, by their names.
  public synchronized List<Visitor> all() {
    return visits.entrySet().stream()
        .map(entry -> new Visitor(entry.getKey(), entry.getValue().since, entry.getValue().last))
        .toList();
  }
}

package io.coppice.vasa.replication.lag;

import io.coppice.vasa.replication.group.CycleStatus;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.time.IntervalThread;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The history of each group's lag and of the bytes of its cycles, minute by minute for a day. It
/// is in memory alone, about 40 KB for a group, and begins anew with the process. A minute in which
/// nobody looked is a gap. Safe for any thread.
public final class LagHistory implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LagHistory.class);

  /// Points of a group: the minutes of a day.
  public static final int POINTS = 1440;

  /// Groups that have a history; those beyond have none.
  static final int MOST_GROUPS = 256;

  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final long MINUTE_SECONDS = 60;

  private final ReplicationGroups groups;
  private final LagWatch watch;
  private final InstantSource clock;
  private final IntervalThread looks;
  private final Map<UUID, LagPast> pasts = new HashMap<>(); // under `this`

  public LagHistory(ReplicationGroups groups, LagWatch watch, InstantSource clock) {
    this.groups = groups;
    this.watch = watch;
    this.clock = clock;
    looks = new IntervalThread("replication-history", LOOK, this::attempt);
  }

  public void start() {
    looks.start();
  }

  private void attempt() {
    try {
      look();
    } catch (RuntimeException e) { // the next look may go well
      log.atWarn().setCause(e).log("the lag of replication groups was not recorded");
    }
  }

  /// Notes the lag of all groups, and what their cycles sent since the last look.
  public void look() {
    List<ReplicatedGroup> all = groups.list();
    long minute = minuteOf(clock.instant());
    synchronized (this) {
      pasts.keySet().retainAll(all.stream().map(ReplicatedGroup::id).collect(Collectors.toSet()));
      for (ReplicatedGroup group : all) {
        LagPast past = pasts.get(group.id());
        if (past == null && pasts.size() < MOST_GROUPS) {
          past = new LagPast(POINTS);
          pasts.put(group.id(), past);
        }
        if (past != null) {
          note(group, past, minute);
        }
      }
    }
  }

  private void note(ReplicatedGroup group, LagPast past, long minute) {
    GroupLag lag = watch.lagOf(group).orElse(null);
    boolean counts = watch.verdictOf(group, lag).isPresent();
    CycleStatus cycles = groups.status(group.id());
    past.note(
        minute,
        lag != null && counts ? lag.age().toSeconds() : LagPast.NONE,
        cycles.dataBytes(),
        cycles.linkBytes());
  }

  /// The minutes of the last day that have ended, the oldest first.
  ///
  /// @param from begin of the first one
  /// @param to end of the last one
  public record Day(Instant from, Instant to, List<LagMinute> minutes) {}

  /// The last day of a group. All of it is a gap if nothing is known.
  public Day of(UUID group) {
    long end = minuteOf(clock.instant());
    long begin = end - POINTS;
    List<LagMinute> minutes;
    synchronized (this) {
      LagPast past = pasts.get(group);
      minutes = (past == null ? new LagPast(1) : past).between(begin, end);
    }
    return new Day(
        Instant.ofEpochSecond(begin * MINUTE_SECONDS),
        Instant.ofEpochSecond(end * MINUTE_SECONDS),
        minutes);
  }

  private static long minuteOf(Instant time) {
    return Math.floorDiv(time.getEpochSecond(), MINUTE_SECONDS);
  }

  /// Looks no more.
  @Override
  public void close() {
    looks.close();
  }
}

package io.coppice.engine.state;

import io.coppice.engine.SnapshotLocks;
import io.coppice.engine.VolumeInfo;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The lock time of an open pool ([SnapshotLocks]). It begins where the pool's record says. The
/// machine's clock moves it only so slowly that no change of that clock, and no number of restarts,
/// ends a lock much too early. Safe for any thread.
///
/// | Event | Lock time |
/// |---|---|
/// | a moment passes while the pool is open | goes on by as much |
/// | the machine's clock is ahead | goes on by 1/24 more, until it has caught up |
/// | the machine's clock is behind | goes on as before |
/// | the pool is closed | stands still |
/// | the pool is opened, and no lock could end too early by the machine's clock | is that clock |
public final class LockTime {

  /// Hours of running in which the lock time catches up by one hour at most.
  static final int HOURS_FOR_ONE = 24;

  private static final System.Logger LOGGER = System.getLogger(LockTime.class.getName());
  private static final String FORM = "1";

  private final InstantSource clock;
  private final LongSupplier nanos;
  private long counted; // guarded by this
  private Instant time; // guarded by this

  /// Goes on from the pool's record.
  ///
  /// @param record what [#text] gave last; absent: nothing was ever locked
  /// @param volumes of the pool
  /// @param nanos a count of nanoseconds that no change of the clock affects, as [System#nanoTime]
  public LockTime(
      Optional<String> record,
      Collection<VolumeInfo> volumes,
      InstantSource clock,
      LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    counted = nanos.getAsLong();
    time = start(record, volumes, clock.instant());
  }

  /// The first lock stores the record before itself. If the record is gone nevertheless, the time
  /// at which the newest locked snapshot was taken is surely not too late.
  private static Instant start(
      Optional<String> record, Collection<VolumeInfo> volumes, Instant clock) {
    List<VolumeInfo> locks =
        volumes.stream().filter(volume -> attribute(volume.attributes()) != null).toList();
    if (locks.isEmpty()) {
      return clock;
    }
    Instant last =
        record
            .flatMap(LockTime::parsed)
            .orElseGet(
                () ->
                    locks.stream()
                        .map(VolumeInfo::created)
                        .max(Comparator.naturalOrder())
                        .orElse(clock));
    Instant earlier = last.isBefore(clock) ? last : clock;
    boolean noneHolds =
        locks.stream().allMatch(volume -> endsBy(attribute(volume.attributes()), earlier));
    return noneHolds ? clock : last;
  }

  private static Optional<Instant> parsed(String record) {
    try {
      String[] parts = record.split(" ", -1);
      if (parts.length == 2 && parts[0].equals(FORM)) {
        return Optional.of(Instant.parse(parts[1]));
      }
    } catch (DateTimeException e) {
      LOGGER.log(System.Logger.Level.DEBUG, "No time.", e);
    }
    LOGGER.log(
        System.Logger.Level.WARNING,
        "Expected the lock time in the pool, found \"{0}\": it begins anew, and locks hold longer.",
        record);
    return Optional.empty();
  }

  private static @Nullable String attribute(Map<String, String> attributes) {
    return attributes.get(SnapshotLocks.ATTRIBUTE);
  }

  private static boolean endsBy(@Nullable String attribute, Instant time) {
    Instant end = attribute == null ? null : LockRules.parsed(attribute);
    return end != null && !end.isAfter(time);
  }

  /// The lock time.
  public synchronized Instant now() {
    long count = nanos.getAsLong();
    Duration passed = Duration.ofNanos(Math.max(0, count - counted));
    counted = count;
    time = time.plus(passed);
    Duration behind = Duration.between(time, clock.instant());
    if (behind.isPositive()) {
      Duration most = passed.dividedBy(HOURS_FOR_ONE);
      time = time.plus(behind.compareTo(most) < 0 ? behind : most);
    }
    return time;
  }

  /// The record that a later open goes on from.
  public static String text(Instant time) {
    return FORM + " " + time;
  }
}

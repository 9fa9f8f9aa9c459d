package io.coppice.vasa.watch;

import io.coppice.engine.VolumeId;
import io.coppice.engine.status.WrittenCounts;
import io.coppice.vasa.time.IntervalThread;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The watches of all volumes that are written to. A look ends a window of each and begins the next
/// one. All of it is in memory and needs no database; after a restart what is usual is learned
/// anew. A volume takes some 300 bytes, and those beyond the settings' number are not watched. Safe
/// for any thread.
public final class VolumeWatches implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(VolumeWatches.class);
  private static final double NANOS_PER_SECOND = 1e9;

  private final Supplier<Map<VolumeId, WrittenCounts>> written;
  private final WatchSettings settings;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final IntervalThread thread;
  private final Map<VolumeId, VolumeWatch> watches = new HashMap<>(); // guarded by this
  private long begin; // of the window, in nanoseconds; guarded by this
  private Instant clockAtBegin; // guarded by this
  private Instant clockBefore; // at the begin of the window before; guarded by this
  private boolean failing; // of the thread

  /// @param written the counts of all volumes to which something was written
  /// @param nanos time as [System#nanoTime] has it
  public VolumeWatches(
      Supplier<Map<VolumeId, WrittenCounts>> written,
      WatchSettings settings,
      InstantSource clock,
      LongSupplier nanos) {
    this.written = written;
    this.settings = settings;
    this.clock = clock;
    this.nanos = nanos;
    thread = new IntervalThread("watch", settings.window(), this::lookGuarded);
    begin = nanos.getAsLong();
    clockAtBegin = clock.instant();
    clockBefore = clockAtBegin;
  }

  public WatchSettings settings() {
    return settings;
  }

  /// Begins to look, unless the watch is switched off.
  public void start() {
    if (settings.enabled()) {
      thread.start();
    }
  }

  // One look that fails must not end the watch for good.
  private void lookGuarded() {
    try {
      look();
      failing = false;
    } catch (RuntimeException | Error e) {
      if (!failing) {
        failing = true;
        log.atWarn().setCause(e).log("what is written to volumes could not be looked at");
      }
    }
  }

  /// Ends the window of each volume. A volume that is written to for the first time begins with its
  /// next window, and one that is gone is forgotten.
  public void look() {
    Map<VolumeId, WrittenCounts> now = written.get();
    synchronized (this) {
      long at = nanos.getAsLong();
      double seconds = Math.max(1, at - begin) / NANOS_PER_SECOND;
      watches.keySet().retainAll(now.keySet());
      now.forEach((volume, counts) -> end(volume, counts, seconds));
      clockBefore = clockAtBegin;
      clockAtBegin = clock.instant();
      begin = at;
    }
  }

  private void end(VolumeId volume, WrittenCounts counts, double seconds) {
    VolumeWatch watch = watches.get(volume);
    if (watch != null) {
      watch.end(new VolumeWatch.Window(counts, seconds, clockBefore));
    } else if (watches.size() < settings.volumes()) {
      watches.put(volume, new VolumeWatch(settings, counts));
    }
  }

  /// The figures of a volume; empty if it is not watched.
  public synchronized Optional<WatchReading> find(VolumeId volume) {
    return Optional.ofNullable(watches.get(volume)).map(VolumeWatch::reading);
  }

  /// The counts of a volume, as of the last look, since the pool was opened; none if it is not
  /// watched.
  public synchronized WrittenCounts counts(VolumeId volume) {
    VolumeWatch watch = watches.get(volume);
    return watch == null ? WrittenCounts.NONE : watch.counts();
  }

  /// The volumes whose writes stand out for long enough.
  public synchronized List<Suspect> suspects() {
    List<Suspect> found = new ArrayList<>();
    watches.forEach(
        (volume, watch) -> {
          WatchReading reading = watch.reading();
          Instant since = reading.since();
          if (reading.state() == WatchState.SUSPECT && since != null) {
            found.add(new Suspect(volume, since, reading));
          }
        });
    return found;
  }

  @Override
  public void close() {
    thread.close();
  }
}

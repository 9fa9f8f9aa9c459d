package io.coppice.vasa.diagnosis;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.unit.Traffic;
import io.coppice.scsi.unit.TrafficCounts;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The recorder of what hosts did in the last minutes, in memory. A volume that nobody reads or
/// writes takes no place in a sample. Time is the machine's running time, so a clock that jumps
/// changes nothing. Safe for any thread.
public final class LoadRecorder implements AutoCloseable {

  private static final Logger LOGGER = System.getLogger(LoadRecorder.class.getName());

  /// Shortest time of a sample that a question takes for itself.
  private static final long SHORTEST = 1_000_000_000;

  private record Sample(long end, long nanos, Map<VolumeId, Load> loads, ArrayWork work) {}

  private final TrafficCounts traffic;
  private final StorageEngine engine;
  private final DiagnosisSettings settings;
  private final LongSupplier nanos;
  private final ArrayDeque<Sample> samples = new ArrayDeque<>(); // guarded by this
  private Map<VolumeId, Traffic> counted = Map.of(); // guarded by this
  private ArrayWork worked = ArrayWork.NONE; // guarded by this
  private boolean begun; // guarded by this
  private long last; // guarded by this
  private long entries; // guarded by this
  private @Nullable Thread thread; // guarded by this

  /// @param nanos time as [System#nanoTime] has it
  public LoadRecorder(
      TrafficCounts traffic, StorageEngine engine, DiagnosisSettings settings, LongSupplier nanos) {
    this.traffic = traffic;
    this.engine = engine;
    this.settings = settings;
    this.nanos = nanos;
  }

  /// Begins to take samples, on a virtual thread, which holds no other one while it waits.
  public synchronized void start() {
    if (thread == null) {
      thread = Thread.ofVirtual().name("load-recorder").start(this::run);
    }
  }

  private void run() {
    try {
      while (true) {
        takeGuarded();
        Thread.sleep(settings.period());
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  // One count that fails must not end the samples for good.
  private void takeGuarded() {
    try {
      take();
    } catch (RuntimeException e) {
      LOGGER.log(Level.WARNING, "the load of volumes could not be sampled", e);
    }
  }

  @Override
  public synchronized void close() {
    if (thread != null) {
      thread.interrupt();
      thread = null;
    }
  }

  /// Takes a sample of what came since the one before. The first one only begins to count.
  synchronized void take() {
    Map<VolumeId, Traffic> now = traffic.byVolume();
    ArrayWork work = workOfNow();
    long at = nanos.getAsLong();
    if (begun) {
      Map<VolumeId, Load> loads = Load.between(counted, now);
      samples.addLast(
          new Sample(at, Math.max(0, at - last), loads, ArrayWork.between(worked, work)));
      entries += loads.size();
    }
    counted = now;
    worked = work;
    last = at;
    begun = true;
    forget(at);
  }

  private ArrayWork workOfNow() {
    var counters = engine.counters();
    return new ArrayWork(
        counters.deviceBytesWritten(),
        counters.bytesMoved(),
        engine.scrub().status().bytesVerified());
  }

  private void forget(long now) {
    while (!samples.isEmpty()
        && (now - samples.getFirst().end() > settings.kept().toNanos()
            || entries > settings.entries() && samples.size() > 1)) {
      entries -= samples.removeFirst().loads().size();
    }
  }

  /// How far back a window may reach.
  public Duration kept() {
    return settings.kept();
  }

  /// The rates within a window that ends now, as long as that of [#recent].
  public RecentRates rates(Duration window) {
    return new RecentRates(recent(window));
  }

  /// What happened within a window that ends now. It is as long as the samples in it: a little
  /// longer than asked for, or shorter if less is kept.
  synchronized Recent recent(Duration window) {
    if (!begun || nanos.getAsLong() - last >= SHORTEST) {
      take();
    }
    Map<VolumeId, Load> loads = new HashMap<>();
    ArrayWork work = ArrayWork.NONE;
    long length = 0;
    for (Iterator<Sample> newest = samples.descendingIterator();
        newest.hasNext() && length < window.toNanos(); ) {
      Sample sample = newest.next();
      length += sample.nanos();
      work = work.plus(sample.work());
      sample.loads().forEach((volume, load) -> loads.merge(volume, load, Load::plus));
    }
    return new Recent(length, loads, work);
  }
}

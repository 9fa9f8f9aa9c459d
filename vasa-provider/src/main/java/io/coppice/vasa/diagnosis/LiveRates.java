package io.coppice.vasa.diagnosis;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.unit.Traffic;
import io.coppice.scsi.unit.TrafficCounts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The rates of right now, for those who look at them again and again.
///
/// However many look, the counters are read once in an interval, and not at all while nobody does.
/// These samples are apart from those of the [LoadRecorder]: they take no place there, so a look
/// does not shorten what is kept. Safe for any thread.
public final class LiveRates {

  private final TrafficCounts traffic;
  private final LoadRecorder recorder;
  private final Duration interval;
  private final LongSupplier nanos;
  private final InstantSource clock;
  private Map<VolumeId, Traffic> counted = Map.of(); // guarded by this
  private long at; // guarded by this
  private @Nullable Sample last; // guarded by this

  /// The rates of one interval.
  ///
  /// @param at its end
  public record Sample(Instant at, RecentRates rates) {}

  /// @param recorder gives the first answer after a time in which nobody looked
  /// @param interval time between two samples
  /// @param nanos time as [System#nanoTime] has it
  public LiveRates(
      TrafficCounts traffic,
      LoadRecorder recorder,
      Duration interval,
      LongSupplier nanos,
      InstantSource clock) {
    this.traffic = traffic;
    this.recorder = recorder;
    this.interval = interval;
    this.nanos = nanos;
    this.clock = clock;
  }

  public Duration interval() {
    return interval;
  }

  /// The rates of the last interval. It is shorter by a quarter at most, as those who look come a
  /// little early or late, and longer if they come late.
  public synchronized Sample now() {
    long now = nanos.getAsLong();
    long passed = now - at;
    long length = interval.toNanos();
    Sample known = last;
    if (known != null && passed >= 0 && passed < length - length / 4) {
      return known;
    }
    Map<VolumeId, Traffic> counts = traffic.byVolume();
    RecentRates rates =
        known == null || passed < 0 || passed > 2 * length
            ? recorder.rates(interval)
            : new RecentRates(new Recent(passed, Load.between(counted, counts), ArrayWork.NONE));
    counted = counts;
    at = now;
    last = new Sample(clock.instant(), rates);
    return last;
  }
}

package io.coppice.vasa.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.unit.IoTime;
import io.coppice.scsi.unit.PhaseCounts;
import io.coppice.scsi.unit.Traffic;
import io.coppice.scsi.unit.TrafficCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Rates for those who look again and again, over counts that the test sets.
class LiveRatesTest {

  private static final long MILLISECOND = 1_000_000;
  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 1));

  private final Map<VolumeId, Traffic> counts = new HashMap<>();
  private final AtomicLong clock = new AtomicLong(-5);
  private final AtomicLong looks = new AtomicLong();
  private final MemoryEngine engine = new MemoryEngine();
  private final TrafficCounts traffic = new SetCounts();
  private final LoadRecorder recorder =
      new LoadRecorder(
          traffic,
          engine,
          new DiagnosisSettings(
              Duration.ofSeconds(5), Duration.ofMinutes(10), 1000, Duration.ofMillis(20)),
          clock::get);
  private final LiveRates live =
      new LiveRates(
          traffic,
          recorder,
          Duration.ofSeconds(2),
          clock::get,
          () -> Instant.EPOCH.plusNanos(clock.get()));

  private final class SetCounts implements TrafficCounts {

    @Override
    public Map<VolumeId, Traffic> byVolume() {
      looks.incrementAndGet();
      return Map.copyOf(counts);
    }

    @Override
    public Traffic inAll() {
      throw new AssertionError("not asked for");
    }

    @Override
    public Map<String, Traffic> byInitiator() {
      throw new AssertionError("not asked for");
    }

    @Override
    public PhaseCounts readPhases() {
      throw new AssertionError("not asked for");
    }

    @Override
    public PhaseCounts writePhases() {
      throw new AssertionError("not asked for");
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void ratesAreThoseSinceTheLookBefore() {
    write(100);
    live.now();
    write(140);
    LiveRates.Sample sample = lookAfter(2000);

    LoadRates rates = sample.rates().of(Set.of(VOLUME));
    assertThat(rates.write().iops()).isEqualTo(20);
    assertThat(rates.write().bandwidth()).isEqualTo(20 * 512);
    assertThat(rates.write().nanos()).isEqualTo(3 * MILLISECOND);
    assertThat(rates.read().iops()).isZero();
    assertThat(sample.rates().ofAll()).isEqualTo(rates);
    assertThat(sample.at()).isEqualTo(Instant.EPOCH.plusNanos(clock.get()));
    assertThat(lookAfter(2000).rates().ofAll().iops()).as("nothing since").isZero();
  }

  @Test
  void theCountersAreReadOnceInAnIntervalHoweverManyLook() {
    live.now();
    long before = looks.get();
    LiveRates.Sample first = lookAfter(2000);
    for (int i = 0; i < 10; i++) {
      assertThat(live.now()).isSameAs(first);
    }
    assertThat(lookAfter(1400)).isSameAs(first);
    assertThat(looks.get()).isEqualTo(before + 1);
    assertThat(lookAfter(200)).as("a little early").isNotSameAs(first);
    assertThat(looks.get()).isEqualTo(before + 2);
  }

  @Test
  void afterATimeWithoutALookTheRecorderGivesTheFirstAnswer() {
    recorder.take();
    live.now();
    write(1000);
    clock.addAndGet(300_000 * MILLISECOND);
    recorder.take(); // and in its next sample there is little
    write(1010);

    LiveRates.Sample sample = lookAfter(5000);
    assertThat(sample.rates().ofAll().iops()).as("not the mean of five minutes").isEqualTo(2);
    write(1030);
    assertThat(lookAfter(2000).rates().ofAll().iops()).isEqualTo(10);
  }

  @Test
  void theFirstLookOfAllHasNoRatesAndTimeThatGoesBackBreaksNothing() {
    write(100);
    assertThat(live.now().rates().ofAll().iops()).isZero();
    write(200);
    assertThat(lookAfter(-10_000).rates().ofAll().iops()).isZero();
    write(220);
    assertThat(lookAfter(2000).rates().ofAll().iops()).isEqualTo(10);
  }

  private LiveRates.Sample lookAfter(long millis) {
    clock.addAndGet(millis * MILLISECOND);
    return live.now();
  }

  private void write(long commands) {
    counts.put(
        VOLUME,
        new Traffic(
            0,
            commands,
            0,
            commands * 512,
            0,
            0,
            IoTime.NONE,
            new IoTime(commands * 3 * MILLISECOND, 0, 0)));
  }
}

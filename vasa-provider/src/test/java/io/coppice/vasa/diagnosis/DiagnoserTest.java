package io.coppice.vasa.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.unit.IoTime;
import io.coppice.scsi.unit.PhaseCounts;
import io.coppice.scsi.unit.Traffic;
import io.coppice.scsi.unit.TrafficCounts;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The samples of counters that a test sets, and the figures that are made of them.
class DiagnoserTest {

  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000_000_000;
  private static final VolumeId OWN = new VolumeId(new UUID(0, 1));
  private static final VolumeId OTHER = new VolumeId(new UUID(0, 2));
  private static final DiagnosisSettings SETTINGS =
      new DiagnosisSettings(
          Duration.ofSeconds(5), Duration.ofMinutes(10), 1000, Duration.ofMillis(20));

  private final Map<VolumeId, Traffic> counts = new HashMap<>();
  private final AtomicLong clock = new AtomicLong(77);
  private final MemoryEngine engine = new MemoryEngine();
  private final LoadRecorder recorder =
      new LoadRecorder(new Counts(counts), engine, SETTINGS, clock::get);
  private Optional<Duration> trip = Optional.empty();
  private final Diagnoser diagnoser = new Diagnoser(recorder, _ -> trip, SETTINGS);

  private record Counts(Map<VolumeId, Traffic> byVolume) implements TrafficCounts {

    @Override
    public Traffic inAll() {
      return Traffic.NONE;
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

    @Override
    public Map<VolumeId, Traffic> byVolume() {
      return Map.copyOf(byVolume);
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void figuresAreMeansOfTheWindowAlone() {
    count(OWN, 1000, 90_000, 0, 0);
    recorder.take();
    count(OWN, 1010, 90_500, 100, 200);
    sampleAfter(5);

    Figures figures = of(15).figures();
    assertThat(figures.seconds()).isEqualTo(5);
    assertThat(figures.commands()).isEqualTo(10);
    assertThat(figures.bytes()).isEqualTo(10 * 4096);
    assertThat(figures.deviceNanos()).isEqualTo(50 * MILLISECOND);
    assertThat(figures.limitNanos()).isEqualTo(10 * MILLISECOND);
    assertThat(figures.queueNanos()).isEqualTo(20 * MILLISECOND);
    assertThat(figures.nanos()).isEqualTo(80 * MILLISECOND);
  }

  @Test
  void ratesAreThoseOfTheWindowForVolumesAloneAndTogether() {
    recorder.take();
    assertThat(recorder.rates(Duration.ofSeconds(5)).volumes()).isEmpty();
    count(OWN, 10, 500, 100, 200);
    counts.put(
        OTHER,
        new Traffic(0, 40, 0, 40 * 512, 0, 0, IoTime.NONE, new IoTime(400 * MILLISECOND, 0, 0)));
    sampleAfter(5);

    RecentRates rates = recorder.rates(Duration.ofSeconds(5));
    assertThat(rates.nanos()).isEqualTo(5 * SECOND);
    assertThat(rates.volumes()).containsExactlyInAnyOrder(OWN, OTHER);
    LoadRates own = rates.of(Set.of(OWN));
    assertThat(own.read()).isEqualTo(new LoadRates.OpRates(2, 2 * 4096, 80 * MILLISECOND));
    assertThat(own.write()).isEqualTo(new LoadRates.OpRates(0, 0, 0));
    assertThat(own.deviceNanos()).isEqualTo(50 * MILLISECOND);
    assertThat(own.nanos()).isEqualTo(80 * MILLISECOND);
    LoadRates both = rates.of(List.of(OWN, OTHER, OTHER, new VolumeId(new UUID(0, 3))));
    assertThat(both.iops()).isEqualTo(10);
    assertThat(both.bandwidth()).isEqualTo(2 * 4096 + 8 * 512);
    assertThat(both.write().nanos()).isEqualTo(10 * MILLISECOND);
    assertThat(both.deviceNanos()).isEqualTo((500 + 400) * MILLISECOND / 50);
  }

  @Test
  void aWindowReachesAsFarBackAsItSays() {
    recorder.take();
    for (int i = 1; i <= 10; i++) {
      count(OWN, 100 * i, 10, 0, 0);
      sampleAfter(5);
    }

    assertThat(of(5).figures().commands()).isEqualTo(100);
    assertThat(of(20).figures().commands()).isEqualTo(400);
    assertThat(of(600).figures().commands()).isEqualTo(1000);
    assertThat(of(600).figures().seconds()).isEqualTo(50);
  }

  @Test
  void aCountThatBeginsAnewCountsFromZero() {
    count(OWN, 5000, 50_000, 1000, 2000);
    recorder.take();
    counts.clear(); // unbound
    sampleAfter(5);
    count(OWN, 10, 100, 0, 0); // and bound again
    sampleAfter(5);
    assertThat(of(600).figures().commands()).isEqualTo(10);

    count(OWN, 5, 20, 0, 0); // both between two samples
    sampleAfter(5);
    Figures figures = of(5).figures();
    assertThat(figures.commands()).isEqualTo(5);
    assertThat(figures.deviceNanos()).isEqualTo(4 * MILLISECOND);
  }

  @Test
  void timeThatStandsStillOrGoesBackBreaksNothing() {
    recorder.take();
    count(OWN, 10, 500, 0, 0);
    recorder.take();
    clock.addAndGet(-7 * SECOND);
    count(OWN, 20, 1000, 0, 0);
    recorder.take();

    Diagnosed diagnosed = of(15);
    assertThat(diagnosed.figures().seconds()).isZero();
    assertThat(diagnosed.figures().commands()).isEqualTo(20);
    assertThat(diagnosed.cause()).isEqualTo(LatencyCause.DEVICE);
    assertThat(recorder.rates(Duration.ofSeconds(15)).of(Set.of(OWN)))
        .as("no time, no rates")
        .isEqualTo(LoadRates.of(Load.NONE, 1));
  }

  @Test
  void aVolumeThatNobodyReachesIsIdle() {
    trip = Optional.of(Duration.ofSeconds(1));

    assertThat(of(15).cause()).isEqualTo(LatencyCause.IDLE);
    sampleAfter(5);
    assertThat(of(15).cause()).isEqualTo(LatencyCause.IDLE);
  }

  @Test
  void neighboursAreThoseOfTheSameTimeWithTheirParts() {
    count(OTHER, 1_000_000, 1, 0, 0);
    recorder.take();
    count(OWN, 10, 300, 0, 400);
    sampleAfter(5);
    assertThat(of(15).cause()).isEqualTo(LatencyCause.QUEUE);
    assertThat(of(15).figures().neighbours()).isEmpty();

    count(OTHER, 1_000_090, 1, 0, 0);
    count(OWN, 20, 600, 0, 800);
    sampleAfter(5);
    Diagnosed diagnosed = of(5);
    assertThat(diagnosed.cause()).isEqualTo(LatencyCause.NEIGHBOUR);
    Neighbour busiest = diagnosed.figures().neighbours().getFirst();
    assertThat(busiest.volume()).isEqualTo(OTHER);
    assertThat(busiest.share()).isCloseTo(0.9, within(0.001));
    assertThat(diagnoser.of(Set.of(OWN, OTHER), Duration.ofSeconds(5)).figures().neighbours())
        .as("a machine's own volumes are no neighbours")
        .isEmpty();
  }

  @Test
  void theRoundTripIsPartOfTheTime() {
    trip = Optional.of(Duration.ofMillis(80));
    recorder.take();
    count(OWN, 10, 10, 0, 0);
    sampleAfter(5);

    assertThat(of(15).cause()).isEqualTo(LatencyCause.NETWORK);
    assertThat(of(15).figures().nanos()).isEqualTo(81 * MILLISECOND);
  }

  @Test
  void noMoreThanTheBoundIsKeptAndIdleVolumesTakeNothing() {
    recorder.take();
    for (int i = 0; i < 600; i++) {
      count(new VolumeId(new UUID(1, i)), 1, 1, 0, 0);
    }
    count(OWN, 1, 1, 0, 0);
    sampleAfter(5);
    for (int round = 2; round < 100; round++) {
      count(OWN, round, round, 0, 0); // the others are idle
      sampleAfter(5);
    }
    assertThat(of(600).figures().commands()).isEqualTo(99);
    for (int i = 0; i < 600; i++) {
      count(new VolumeId(new UUID(1, i)), 2, 2, 0, 0);
    }
    sampleAfter(5);

    assertThat(of(600).figures().neighbours()).isNotEmpty();
    assertThat(of(600).figures().commands()).as("the oldest sample went").isEqualTo(98);
  }

  /// @param deviceMillis and the others: added up
  private void count(
      VolumeId volume, long commands, long deviceMillis, long limitMillis, long queueMillis) {
    IoTime time =
        new IoTime(
            (deviceMillis + limitMillis + queueMillis) * MILLISECOND,
            limitMillis * MILLISECOND,
            queueMillis * MILLISECOND);
    counts.put(volume, new Traffic(commands, 0, commands * 4096, 0, 0, 0, time, IoTime.NONE));
  }

  private void sampleAfter(int seconds) {
    clock.addAndGet(seconds * SECOND);
    recorder.take();
  }

  private Diagnosed of(int seconds) {
    return diagnoser.of(Set.of(OWN), Duration.ofSeconds(seconds));
  }
}

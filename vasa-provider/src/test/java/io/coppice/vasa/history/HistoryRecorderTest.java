package io.coppice.vasa.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.vasa.history.file.HistoryStep;
import io.coppice.vasa.testing.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The recorder over restarts, and without a folder or a database; what its answers say then.
class HistoryRecorderTest {

  private static final Duration SLOT = Duration.ofSeconds(10);
  private static final long MIB = 1L << 20;

  @TempDir private Path folder;

  private final RecordedWorld world = new RecordedWorld();
  private final ControlPlane empty = new ControlPlane();

  private HistoryRecorder recorder(long spare) {
    return new HistoryRecorder(
        new RecordingSettings(true, 1L << 30, 64L << 20, spare),
        folder.resolve("history"),
        world.sources(),
        world.clocks());
  }

  private void look(HistoryRecorder recorder, int times) {
    for (int i = 0; i < times; i++) {
      world.clock.advance(SLOT);
      recorder.record();
    }
  }

  private List<Double> values(HistoryRecorder recorder, Series series, Duration back) {
    Instant now = world.clock.instant();
    Window window = Window.of(HistoryStep.TEN_SECONDS, now.minus(back), now, now);
    History history = new History(recorder, empty.spaces, world.clock);
    return history
        .ofVolumes(Set.of(RecordedWorld.DISK), window, List.of(series))
        .lines()
        .getFirst()
        .values();
  }

  @Test
  void aRestartIsAGapAndNothingElse() {
    world.spaces.put(RecordedWorld.DISK, new VolumeSpace(MIB, MIB, 0));
    HistoryRecorder first = recorder(0);
    first.record();
    world.read(100, 1);
    look(first, 1);
    HistoryRecorder second = recorder(0);
    world.clock.advance(SLOT);
    second.record(); // the counters stand where they stood: this look is the first one
    world.read(50, 1);
    look(second, 1);

    List<Double> reads = values(second, Series.READS, SLOT.multipliedBy(4));

    assertThat(reads).hasSize(4);
    assertThat(reads.get(0)).isNull();
    assertThat(reads.get(1)).isCloseTo(10, within(0.1));
    assertThat(reads.get(2)).isNull();
    assertThat(reads.get(3)).isCloseTo(5, within(0.1));
    HistoryRecorder third = recorder(0);
    third.start();
    third.close();
    assertThat(third.known().ofMachine("vm-1")).containsExactly(RecordedWorld.DISK);
    assertThat(values(third, Series.READS, SLOT.multipliedBy(4))).isEqualTo(reads);
  }

  @Test
  void spaceHoldsBetweenItsChangesAndIsKnownBeforeTheFirst() {
    world.spaces.put(RecordedWorld.DISK, new VolumeSpace(MIB, 0, 0));
    HistoryRecorder recorder = recorder(0);
    recorder.record();
    look(recorder, 12);
    world.spaces.put(RecordedWorld.DISK, new VolumeSpace(4 * MIB, 0, 0));
    look(recorder, 12);
    List<Double> grown = values(recorder, Series.MAPPED, SLOT.multipliedBy(24));
    world.spaces.remove(RecordedWorld.DISK);
    look(recorder, 12);
    List<Double> gone = values(recorder, Series.MAPPED, SLOT.multipliedBy(12));

    assertThat(grown.getFirst()).isCloseTo(MIB, within(MIB / 200.0));
    assertThat(grown.getLast()).isCloseTo(4 * MIB, within(4 * MIB / 200.0));
    assertThat(grown).doesNotContainNull().isSorted();
    assertThat(gone.getLast()).isZero();
    Instant then = world.clock.instant().minus(SLOT.multipliedBy(30));
    Window before =
        Window.of(HistoryStep.TEN_SECONDS, then.minus(SLOT), then, world.clock.instant());
    assertThat(
            new History(recorder, empty.spaces, world.clock)
                .ofVolumes(Set.of(RecordedWorld.DISK), before, List.of(Series.MAPPED))
                .lines()
                .getFirst()
                .values()
                .getFirst())
        .as("a window without a change, told by the next one")
        .isCloseTo(MIB, within(MIB / 200.0));
  }

  @Test
  void manyVolumesAreAddedUp() {
    HistoryRecorder recorder = recorder(0);
    recorder.record();
    List<VolumeId> disks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      VolumeId disk = new VolumeId(new UUID(7, i));
      disks.add(disk);
      world.spaces.put(disk, new VolumeSpace(MIB, 0, 0));
      world.traffic.put(disk, RecordedWorld.reads(100, 100, 100_000L * (i + 1)));
    }
    look(recorder, 1);
    Instant now = world.clock.instant();
    Window window = Window.of(HistoryStep.TEN_SECONDS, now.minus(SLOT), now, now);
    History history = new History(recorder, empty.spaces, world.clock);

    List<ObjectHistory.Line> lines =
        history
            .ofVolumes(
                disks,
                window,
                List.of(Series.READS, Series.READ_LATENCY, Series.READ_LATENCY_MAX, Series.MAPPED))
            .lines();

    assertThat(lines.get(0).values().getFirst()).isCloseTo(400, within(2.0));
    assertThat(lines.get(1).values().getFirst()).isCloseTo(20.5, within(0.15));
    assertThat(lines.get(2).values().getFirst()).isCloseTo(40, within(0.2));
    assertThat(lines.get(3).values().getFirst()).isCloseTo(40.0 * MIB, within(40 * MIB / 200.0));
    assertThat(lines.get(1).summary()).isNotNull();
  }

  @Test
  void aHostIsTheSumOfItsInitiators() {
    HistoryRecorder recorder = recorder(0);
    recorder.record();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      names.add("iqn.2026-11.test:esx-" + i);
      world.initiators.put(names.getLast(), RecordedWorld.reads(100, 100, 100_000L * (i + 1)));
    }
    look(recorder, 1);
    Instant now = world.clock.instant();
    Window window = Window.of(HistoryStep.TEN_SECONDS, now.minus(SLOT.multipliedBy(3)), now, now);
    History history = new History(recorder, empty.spaces, world.clock);

    List<ObjectHistory.Line> lines = history.ofInitiators(names, window, Series.ofHosts()).lines();

    assertThat(lines).extracting(ObjectHistory.Line::series).isEqualTo(Series.ofHosts());
    assertThat(lines).extracting(line -> line.series().unit()).doesNotContain("B");
    assertThat(lines.get(0).values().getLast()).isCloseTo(200, within(1.0));
    assertThat(lines.get(0).values().getFirst()).as("before the start").isNull();
    assertThat(lines.get(4).series()).isEqualTo(Series.READ_LATENCY);
    assertThat(lines.get(4).values().getLast()).isCloseTo(10.5, within(0.08));
    assertThat(history.ofInitiators(List.of(), window, List.of(Series.READS)).lines().getFirst())
        .as("a host without initiators")
        .extracting(ObjectHistory.Line::values)
        .isEqualTo(java.util.Arrays.asList(null, null, 0.0));
  }

  @Test
  void anInitiatorIsRememberedAsLongAsItsRecords() {
    HistoryRecorder recorder = recorder(0);
    recorder.record();
    world.initiators.put("iqn.a", RecordedWorld.reads(100, 100, 100));
    look(recorder, 1);
    History history = new History(recorder, empty.spaces, world.clock);
    assertThat(history.hasInitiator("iqn.a")).isTrue();
    assertThat(history.hasInitiator("iqn.b")).isFalse();

    for (Duration later : List.of(Duration.ofHours(2), Duration.ofDays(3), Duration.ofDays(40))) {
      world.clock.advance(later);
      look(recorder, 2);
      assertThat(history.hasInitiator("iqn.a")).as(later.toString()).isTrue();
    }
    world.clock.advance(Duration.ofDays(366));
    look(recorder, 2);
    assertThat(history.hasInitiator("iqn.a")).isFalse();
  }

  @Test
  void aFolderThatCannotBeUsedIsAnObstacleUntilItCan() throws IOException {
    Files.writeString(folder.resolve("history"), "in the way");
    HistoryRecorder recorder = recorder(0);
    recorder.start();
    recorder.close();
    look(recorder, 2);

    assertThat(recorder.obstacle()).isPresent();
    assertThat(values(recorder, Series.READS, SLOT)).containsOnlyNulls();
    Files.delete(folder.resolve("history"));
    look(recorder, 1);
    assertThat(recorder.obstacle()).isEmpty();
    assertThat(values(recorder, Series.READS, SLOT)).containsExactly(0.0);
  }

  @Test
  void aFullDiskIsAGap() {
    HistoryRecorder recorder = recorder(Long.MAX_VALUE);
    recorder.record();
    look(recorder, 1);

    assertThat(recorder.obstacle()).get().asString().contains("free bytes");
    assertThat(values(recorder, Series.READS, SLOT)).containsOnlyNulls();
  }

  @Test
  void withoutTheDatabaseOnlyContainersHaveAGap() {
    world.database = false;
    HistoryRecorder recorder = recorder(0);
    recorder.record();
    look(recorder, 12);
    Instant now = world.clock.instant();
    Window window = Window.of(HistoryStep.MINUTE, now.minusSeconds(60), now, now);
    History history = new History(recorder, empty.spaces, world.clock);

    assertThat(
            history
                .ofContainer(RecordedWorld.CONTAINER, window, List.of(Series.CONTAINER_USED))
                .lines()
                .getFirst()
                .values())
        .containsOnlyNulls();
    assertThat(history.ofPool(window, List.of(Series.POOL_USED)).lines().getFirst().values())
        .containsOnly((double) world.used);
  }

  @Test
  void switchedOffItRecordsNothingAndSaysSo() {
    HistoryRecorder off =
        new HistoryRecorder(
            new RecordingSettings(false, 1L << 30, 64L << 20, 0),
            folder.resolve("history"),
            world.sources(),
            world.clocks());
    off.start();
    off.close();

    assertThat(off.obstacle()).get().asString().contains("coppice.history.enabled");
  }
}

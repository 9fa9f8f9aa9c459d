package io.coppice.vasa.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.scsi.unit.Traffic;
import io.coppice.vasa.history.file.FileBounds;
import io.coppice.vasa.history.file.HistoryFiles;
import io.coppice.vasa.history.file.HistoryStep;
import io.coppice.vasa.history.file.Record;
import io.coppice.vasa.history.file.Stretch;
import io.coppice.vasa.testing.TestClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rows from counters, whatever the counters and the clock do.
class SamplerTest {

  private static final UUID CONTAINER = RecordedWorld.CONTAINER;
  private static final VolumeId DISK = RecordedWorld.DISK;
  private static final Duration SLOT = Duration.ofSeconds(10);

  @TempDir private Path folder;

  private final RecordedWorld world = new RecordedWorld();
  private final TestClock clock = world.clock;
  private final Map<VolumeId, Traffic> traffic = world.traffic;
  private final Map<VolumeId, VolumeSpace> spaces = world.spaces;
  private final KnownVolumes known = new KnownVolumes(1000);
  private final Sampler sampler = new Sampler(world.sources(), known);

  private static Traffic reads(long count, long bytes, long nanos) {
    return RecordedWorld.reads(count, bytes, nanos);
  }

  private void read(long count, long nanosEach) {
    world.read(count, nanosEach);
  }

  private Optional<Sampler.Sample> look() {
    return sampler.look(clock.instant(), clock.nanos());
  }

  private Sampler.Sample lookAfter(Duration time) {
    clock.advance(time);
    return look().orElseThrow();
  }

  /// What a row says of a key; null if nothing.
  private short[] words(Sampler.Sample sample, long key) {
    try {
      HistoryFiles files =
          HistoryFiles.open(
              folder.resolve(UUID.randomUUID().toString()), new FileBounds(1 << 30, 0));
      files.add(sample.slot(), sample.row());
      Stretch one =
          files.read(HistoryStep.TEN_SECONDS, List.of(key), sample.slot(), sample.slot() + 1);
      return one.words(key, 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private double[] figures(Sampler.Sample sample, long key) {
    return Record.figures(words(sample, key));
  }

  @Test
  void aRowHasTheRatesOfItsTimeAndTheFirstLookHasNone() {
    spaces.put(DISK, new VolumeSpace(8192, 4096, 0));
    read(1000, 1);
    assertThat(look()).isEmpty();
    read(500, 250_000);

    Sampler.Sample sample = lookAfter(SLOT);

    assertThat(sample.slot()).isEqualTo(HistoryStep.TEN_SECONDS.slotAt(clock.instant()) - 1);
    for (long key :
        List.of(Keys.volumeTraffic(DISK), Keys.containerTraffic(CONTAINER), Keys.poolTraffic())) {
      double[] figures = figures(sample, key);
      assertThat(figures[0]).isCloseTo(50, within(0.3));
      assertThat(figures[2]).isCloseTo(50 * 4096, within(1100.0));
      assertThat(figures[4]).as("device").isCloseTo(175, within(1.0));
      assertThat(figures[6]).as("queue").isCloseTo(50, within(0.3));
      assertThat(figures[8]).as("limit").isCloseTo(25, within(0.2));
      assertThat(figures[10]).isCloseTo(250, within(1.3));
    }
    assertThat(Record.exact(words(sample, Keys.poolSpace()), 1)).isEqualTo(world.used);
    assertThat(known.find(DISK).orElseThrow().machine()).isEqualTo("vm-1");
  }

  @Test
  void anIdleVolumeCostsNothing() {
    spaces.put(DISK, new VolumeSpace(8192, 4096, 0));
    read(10, 1);
    look();

    for (int i = 0; i < 12; i++) {
      Sampler.Sample sample = lookAfter(SLOT);
      assertThat(words(sample, Keys.volumeTraffic(DISK))).isNull();
      assertThat(words(sample, Keys.volumeSpace(DISK))).isNull();
    }
    assertThat(known.size()).isZero();
  }

  @Test
  void countersThatBeginAnewCountFromZero() {
    spaces.put(DISK, new VolumeSpace(0, 0, 0));
    read(1000, 1);
    look();
    traffic.put(DISK, reads(30, 30 * 512, 30)); // unbound and bound again

    double[] anew = figures(lookAfter(SLOT), Keys.volumeTraffic(DISK));

    assertThat(anew[0]).isCloseTo(3, within(0.02));
    traffic.clear(); // out of reach
    assertThat(words(lookAfter(SLOT), Keys.volumeTraffic(DISK))).isNull();
    traffic.put(DISK, reads(20, 20, 20));
    assertThat(figures(lookAfter(SLOT), Keys.volumeTraffic(DISK))[0]).isCloseTo(2, within(0.02));
  }

  @Test
  void anInitiatorHasTheRatesOfItsTimeAndNothingWhileItIsIdle() {
    String name = "iqn.2026-11.test:esx";
    long key = Keys.initiatorTraffic(name);
    world.initiators.put(name, reads(1000, 1000, 1000));
    look();
    assertThat(words(lookAfter(SLOT), key)).as("idle").isNull();
    world.initiators.put(name, reads(1500, 1000 + 500 * 4096, 1000 + 500 * 250_000));

    double[] figures = figures(lookAfter(SLOT), key);

    assertThat(figures[0]).isCloseTo(50, within(0.3));
    assertThat(figures[2]).isCloseTo(50 * 4096, within(1100.0));
    assertThat(figures[4]).as("device").isCloseTo(175, within(1.0));
    assertThat(figures[6]).as("queue").isCloseTo(50, within(0.3));
    assertThat(figures[8]).as("limit").isCloseTo(25, within(0.2));
    world.initiators.clear(); // forgotten by the target
    assertThat(words(lookAfter(SLOT), key)).isNull();
    world.initiators.put(name, reads(20, 20, 20));
    assertThat(figures(lookAfter(SLOT), key)[0]).as("back again").isCloseTo(2, within(0.02));
    world.initiators.put(name, reads(10, 10, 10));
    assertThat(figures(lookAfter(SLOT), key)[0]).as("begun anew").isCloseTo(1, within(0.01));
  }

  @Test
  void aLateLookHasTheRatesOfItsTimeAndOneThatIsTooLateHasNone() {
    spaces.put(DISK, new VolumeSpace(0, 0, 0));
    look();
    read(300, 1);

    assertThat(figures(lookAfter(Duration.ofSeconds(30)), Keys.volumeTraffic(DISK))[0])
        .isCloseTo(10, within(0.06));
    read(1_000_000, 1);
    clock.advance(Duration.ofHours(2));
    assertThat(look()).isEmpty();
    read(100, 1);
    assertThat(figures(lookAfter(SLOT), Keys.volumeTraffic(DISK))[0]).isCloseTo(10, within(0.06));
  }

  @Test
  void aClockThatJumpsMovesTheSlotAndNoFigure() {
    spaces.put(DISK, new VolumeSpace(0, 0, 0));
    look();
    for (Duration jump : List.of(Duration.ofDays(400), Duration.ofDays(-800))) {
      clock.jump(jump);
      read(200, 1);

      Sampler.Sample sample = lookAfter(SLOT);

      assertThat(sample.slot()).isEqualTo(HistoryStep.TEN_SECONDS.slotAt(clock.instant()) - 1);
      assertThat(figures(sample, Keys.volumeTraffic(DISK))[0]).isCloseTo(20, within(0.1));
    }
    assertThat(look()).as("no time has passed").isEmpty();
  }

  @Test
  void spaceIsRecordedWhenItChangesWithWhatWasBefore() {
    spaces.put(DISK, new VolumeSpace(1 << 20, 1 << 20, 0));
    look();
    spaces.put(DISK, new VolumeSpace(4 << 20, 2 << 20, 0));
    VolumeId made = new VolumeId(UUID.randomUUID());
    spaces.put(made, new VolumeSpace(1 << 20, 0, 0));

    Sampler.Sample grown = lookAfter(Duration.ofSeconds(60));

    double[] figures = figures(grown, Keys.volumeSpace(DISK));
    assertThat(figures[0]).isCloseTo(4096, within(20.0));
    assertThat(figures[1]).isCloseTo(2048, within(10.0));
    assertThat(figures[2]).isCloseTo(1024, within(5.0));
    assertThat(figures(grown, Keys.volumeSpace(made))[2]).isZero();
    assertThat(Record.exact(words(grown, Keys.containerSpace(CONTAINER)), 1)).isEqualTo(world.used);
    spaces.remove(DISK);
    double[] gone = figures(lookAfter(Duration.ofSeconds(60)), Keys.volumeSpace(DISK));
    assertThat(gone[0]).isZero();
    assertThat(gone[2]).isCloseTo(4096, within(20.0));
  }

  @Test
  void aStoppedPoolDeletesNothing() {
    spaces.put(DISK, new VolumeSpace(1 << 20, 1 << 20, 0));
    look();
    spaces.put(DISK, null);

    assertThat(words(lookAfter(Duration.ofSeconds(60)), Keys.volumeSpace(DISK))).isNull();
  }

  @Test
  void knownVolumesOutliveARestartAndDamage() throws IOException {
    VolumeId other = new VolumeId(UUID.randomUUID());
    known.note(new KnownVolume(DISK, CONTAINER, "vm\t1", 20_000));
    known.store(folder, 20_000);
    known.note(new KnownVolume(DISK, CONTAINER, "vm 2", 20_000));
    known.note(new KnownVolume(other, CONTAINER, null, 20_000));
    known.store(folder, 20_000);
    byte[] whole = java.nio.file.Files.readAllBytes(folder.resolve("volumes"));

    KnownVolumes again = new KnownVolumes(1000);
    again.load(folder);

    assertThat(again.ofMachine("vm 2")).containsExactly(DISK);
    assertThat(again.ofMachine("vm\t1")).isEmpty();
    assertThat(again.size()).isEqualTo(2);
    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 0x20;
      java.nio.file.Files.write(folder.resolve("volumes"), damaged);
      KnownVolumes partly = new KnownVolumes(1000);
      partly.load(folder);
      partly.find(DISK).ifPresent(one -> assertThat(one.machine()).isIn("vm\t1", "vm 2"));
      partly.find(other).ifPresent(one -> assertThat(one.container()).isEqualTo(CONTAINER));
      assertThat(partly.size()).isBetween(1, 2);
    }
  }

  @Test
  void volumesThatAreTooOldOrTooManyAreForgotten() throws IOException {
    KnownVolumes few = new KnownVolumes(2);
    for (int day = 0; day < 4; day++) {
      few.note(new KnownVolume(new VolumeId(new UUID(1, day)), CONTAINER, "vm", 20_000 + day));
    }
    few.store(folder, 20_004);
    assertThat(few.ofMachine("vm"))
        .containsExactly(new VolumeId(new UUID(1, 2)), new VolumeId(new UUID(1, 3)));
    few.store(folder, 20_369);
    assertThat(few.size()).isEqualTo(1);
  }
}

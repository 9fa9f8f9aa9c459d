package io.coppice.engine.superblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.mirror.Mirror;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.testing.QuietEngine;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the superblocks of two devices say of each other, whatever fails or loses power when: never
/// does each say that it alone holds everything.
@ExtendWith(QuietEngine.class)
class SuperblocksTest {

  private static final long SIZE = 8L << 20;
  private static final int CRASHES = 50;

  private final SimulatedBlockDevice[] devices = {
    new SimulatedBlockDevice(SIZE), new SimulatedBlockDevice(SIZE)
  };
  private final Mirror mirror = new Mirror(devices[0], devices[1]);
  private final Superblocks superblocks = new Superblocks(mirror, formatted());

  @BeforeEach
  void keep() {
    mirror.keptBy(superblocks);
  }

  private Superblock formatted() {
    RedirectOnWriteEngine.format(
        devices[0], devices[1], new PoolFormat(UUID.randomUUID(), 256 << 10, Instant.EPOCH));
    return found(devices).head();
  }

  // ---- one fails

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void theOtherOneSaysThatItIsAloneBeforeAWriteReturns(int failing) {
    devices[failing].failWrite(1);

    write();

    eachCrash(
        (seed, found) -> {
          assertThat(found.head().mirror().whole()).as("seed %d", seed).isEqualTo(2 - failing);
          assertThat(found.behind()).isNotNull();
        });
  }

  /// The write that says so fails, and may have arrived: the failed one, which is well again, must
  /// not say it of itself when the other one fails once more.
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void whatMayHaveBeenSaidIsNeverContradicted(int failing) {
    int other = 1 - failing;
    devices[failing].failWrite(1);
    devices[other].failWrite(2);

    assertThatThrownBy(this::write)
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("no device of the pool is left that can go on");
    devices[other].failWrite(1);
    assertThatThrownBy(this::write).isInstanceOf(DeviceException.class);
    for (BlockDevice.Copy copy : mirror.copies()) {
      assertThatThrownBy(() -> write(copy.device())).isInstanceOf(DeviceException.class);
    }
    assertThatThrownBy(() -> superblocks.store(before -> before.next(before.mirror())))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("no device of the pool is left that can go on");
    assertThatThrownBy(() -> superblocks.leftOut(other, new DeviceException("once more")))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("once more");

    assertThat(says(devices[failing])).isEqualTo(Superblock.Mirror.BOTH);
    assertThat(found(devices).head().mirror().whole()).as("it arrived").isEqualTo(1 << other);
    eachCrash(
        (seed, found) ->
            assertThat(found.head().mirror().isWhole(other)).as("seed %d", seed).isTrue());
  }

  @Test
  void bothThatFailAtOnceStopThePool() {
    devices[0].failWrite(1);
    devices[1].failWrite(1);

    assertThatThrownBy(this::write).isInstanceOf(DeviceException.class);
    assertThatThrownBy(this::write)
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("failed before");

    eachCrash(
        (seed, found) ->
            assertThat(found.head().mirror().whole())
                .as("seed %d", seed)
                .isEqualTo(Superblock.Mirror.BOTH));
  }

  // ---- one has been filled

  /// The one that says that it is alone fails when it is to take that back.
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void oneIsAloneOnlyWhenTheOtherOneHasTakenBackThatItIs(int filled) {
    int whole = 1 - filled;
    fill(filled);
    devices[whole].failWrite(1);

    assertThatThrownBy(() -> superblocks.filled(mirror, filled))
        .isInstanceOf(DeviceException.class);
    assertThatThrownBy(this::write).isInstanceOf(DeviceException.class);

    assertThat(says(devices[filled])).isEqualTo(Superblock.Mirror.BOTH);
    eachCrash(
        (seed, found) ->
            assertThat(found.head().mirror().isWhole(whole)).as("seed %d", seed).isTrue());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void oneThatFailsWhenItIsToCountIsLeftOut(int filled) {
    int whole = 1 - filled;
    fill(filled);
    devices[filled].failWrite(1);

    assertThatThrownBy(() -> superblocks.filled(mirror, filled))
        .isInstanceOf(DeviceException.class);
    write();

    assertThat(mirror.copies()).singleElement().matches(copy -> copy.number() == whole);
    eachCrash(
        (seed, found) ->
            assertThat(found.head().mirror().whole()).as("seed %d", seed).isEqualTo(1 << whole));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void oneThatWasFilledMayGoOnAloneAfterwards(int filled) {
    fill(filled);
    superblocks.filled(mirror, filled);
    devices[1 - filled].failWrite(1);

    write();

    eachCrash(
        (seed, found) ->
            assertThat(found.head().mirror().whole()).as("seed %d", seed).isEqualTo(1 << filled));
  }

  // ---- power cuts

  /// While a superblock is stored, while the two are made even, and while that is done again. One
  /// that is met without power a moment before the other one is left out.
  @Test
  void twoThatHoldEverythingAreNeverTwoApartHoweverOftenThePowerGoes() {
    int uneven = 0;
    for (int seed = 0; seed < 150; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SimulatedBlockDevice[] now = crashed(devices, random);
      PoolDevices found = found(now);
      for (int cut = 0; cut < 8 && found.behind() == null; cut++) {
        uneven += found.uneven() ? 1 : 0;
        storeUntilPowerIsCut(now, found, random);
        now = crashed(now, random);
        found = found(now);
      }
    }
    assertThat(uneven).as("openings of two that a crash left one apart").isGreaterThan(50);
  }

  private static void storeUntilPowerIsCut(
      SimulatedBlockDevice[] both, PoolDevices found, SplittableRandom random) {
    Mirror mirror = (Mirror) found.device();
    Superblocks superblocks = new Superblocks(mirror, found.head());
    mirror.keptBy(superblocks);
    cutPowerOf(both, random);
    assertThatThrownBy(
            () -> {
              if (found.uneven()) {
                superblocks.settle();
              }
              while (true) {
                superblocks.store(before -> before.next(before.mirror()));
              }
            })
        .isInstanceOf(DeviceException.class);
  }

  private static void cutPowerOf(SimulatedBlockDevice[] both, SplittableRandom random) {
    int one = random.nextInt(2);
    both[one].sharePowerWith(both[1 - one]);
    both[one].losePowerAfter(1 + random.nextInt(5));
  }

  // ---- tools

  private void fill(int member) {
    devices[member].failWrite(1);
    write();
    mirror.fill(member, devices[member]);
  }

  private void write() {
    write(mirror);
  }

  private static void write(BlockDevice device) {
    device.writeStable(
        PoolLayout.SUPERBLOCK_AREA, List.of(AlignedBuffers.allocate(PoolLayout.BLOCK)));
  }

  private void eachCrash(BiConsumer<Integer, PoolDevices> check) {
    for (int seed = 0; seed < CRASHES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      check.accept(seed, found(crashed(devices, random)));
    }
  }

  private static SimulatedBlockDevice[] crashed(
      SimulatedBlockDevice[] both, SplittableRandom random) {
    return new SimulatedBlockDevice[] {both[0].afterCrash(random), both[1].afterCrash(random)};
  }

  private static PoolDevices found(SimulatedBlockDevice[] both) {
    return PoolDevices.find(both[0], both[1], false);
  }

  private static int says(SimulatedBlockDevice device) {
    return SuperblockArea.read(device).require().mirror().whole();
  }
}

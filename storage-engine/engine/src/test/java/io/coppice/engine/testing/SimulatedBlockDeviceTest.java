package io.coppice.engine.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// That each fault of the simulated device really happens.
class SimulatedBlockDeviceTest {

  private final SimulatedBlockDevice device = new SimulatedBlockDevice(1 << 20);

  @Test
  void whatWasSyncedSurvivesACrash() {
    device.write(0, List.of(filled(1)));
    device.sync();

    assertThat(firstByte(device.afterCrash(new SplittableRandom(1)), 0)).isEqualTo(1);
  }

  @Test
  void aStableWriteSurvivesAndMakesNothingElseStable() {
    Set<Integer> others = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      SimulatedBlockDevice fresh = new SimulatedBlockDevice(1 << 20);
      fresh.write(0, List.of(filled(1)));
      fresh.writeStable(4096, List.of(filled(2)));
      SimulatedBlockDevice after = fresh.afterCrash(new SplittableRandom(seed));
      assertThat(firstByte(after, 4096)).isEqualTo(2);
      others.add(firstByte(after, 0));
    }

    assertThat(others).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void anUnsyncedBlockIsTornAtItsSectors() {
    Set<Integer> survivors = new HashSet<>();
    for (int seed = 0; seed < 100; seed++) {
      SimulatedBlockDevice fresh = new SimulatedBlockDevice(1 << 20);
      fresh.write(0, List.of(filled(1)));
      ByteBuffer block = ByteBuffer.allocate(4096);
      fresh.afterCrash(new SplittableRandom(seed)).read(0, block);
      int newSectors = 0;
      for (int sector = 0; sector < 8; sector++) {
        newSectors += block.get(sector * 512);
      }
      survivors.add(newSectors);
    }

    assertThat(survivors).hasSizeGreaterThan(4);
  }

  @Test
  void afterThePowerIsLostNothingWorks() {
    device.losePowerAfter(2);
    device.write(0, List.of(filled(1)));

    assertThatThrownBy(() -> device.writeStable(4096, List.of(filled(2))))
        .isInstanceOf(DeviceException.class);
    assertThatThrownBy(() -> device.read(0, ByteBuffer.allocate(4096)))
        .isInstanceOf(DeviceException.class);
    assertThat(device.powerIsLost()).isTrue();
  }

  @Test
  void aFailedSyncMakesNothingStable() {
    device.write(0, List.of(filled(1)));
    device.failSyncs(1);

    assertThatThrownBy(device::sync).isInstanceOf(DeviceException.class);
    assertThat(survivingBytes(device)).contains(0);
  }

  @Test
  void whatOneFailedSyncLeftOutReadsWellAndIsLostAlthoughTheNextSyncSucceeds() {
    device.failSync(2);
    device.write(0, List.of(filled(1)));

    assertThatThrownBy(device::sync).isInstanceOf(DeviceException.class);
    device.sync();

    assertThat(device.hasFailed()).isTrue();
    assertThat(firstByte(device, 0)).isEqualTo(1);
    assertThat(survivingBytes(device)).contains(0);
  }

  @Test
  void aLyingSyncMakesNothingStableAndSaysNothing() {
    device.lieAboutSyncs();
    device.writeStable(0, List.of(filled(1)));

    assertThat(survivingBytes(device)).contains(0);
  }

  @Test
  void aLostWriteNeverArrivesAndAMisdirectedOneArrivesElsewhere() {
    device.loseWrite(1);
    device.writeStable(0, List.of(filled(1)));
    device.misdirectWrite(1);
    device.writeStable(0, List.of(filled(2)));

    assertThat(firstByte(device, 0)).isZero();
    assertThat(firstByte(device, 4096)).isEqualTo(2);
  }

  @Test
  void aFlippedBitIsRead() {
    device.writeStable(0, List.of(filled(4)));

    device.flipBit(0, 0);

    assertThat(firstByte(device, 0)).isEqualTo(5);
  }

  @Test
  void aFailedReadAndAFailedWriteAreReported() {
    device.writeStable(0, List.of(filled(1)));
    device.writeStable(4096, List.of(filled(1)));
    device.failReads(4096 + 700);
    device.failWrite(1);

    assertThatThrownBy(() -> device.write(0, List.of(filled(2))))
        .isInstanceOf(DeviceException.class);
    assertThatThrownBy(() -> firstByte(device, 4096)).isInstanceOf(DeviceException.class);
    assertThat(survivingBytes(device)).containsExactlyInAnyOrder(1, 2);
    device.writeStable(0, List.of(filled(3)));
    assertThat(firstByte(device, 0)).isEqualTo(3);
  }

  @Test
  void unsyncedWritesToOneBlockArriveInAnyOrder() {
    device.write(0, List.of(filled(1)));
    device.write(0, List.of(filled(2)));
    device.write(4096, List.of(filled(3)));

    assertThat(survivingBytes(device)).containsExactlyInAnyOrder(0, 1, 2);
    boolean laterWithoutEarlier = false;
    for (int seed = 0; seed < 50; seed++) {
      SimulatedBlockDevice after = device.afterCrash(new SplittableRandom(seed));
      laterWithoutEarlier |= firstByte(after, 0) == 0 && firstByte(after, 4096) == 3;
    }
    assertThat(laterWithoutEarlier).isTrue();
  }

  @Test
  void theDeviceKnowsWhereThePowerWent() {
    device.writeStable(8192, List.of(filled(1)));
    device.losePowerAfter(1);

    assertThatThrownBy(() -> device.write(8192, List.of(filled(2))))
        .isInstanceOf(DeviceException.class);

    assertThat(device.powerLoss())
        .contains(new SimulatedBlockDevice.PowerLoss(SimulatedBlockDevice.Step.WRITE, 8192, true));
  }

  private static Set<Integer> survivingBytes(SimulatedBlockDevice device) {
    Set<Integer> seen = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      seen.add(firstByte(device.afterCrash(new SplittableRandom(seed)), 0));
    }
    return seen;
  }

  private static int firstByte(BlockDevice device, long offset) {
    ByteBuffer block = ByteBuffer.allocate(4096);
    device.read(offset, block);
    return block.get(0);
  }

  private static ByteBuffer filled(int value) {
    ByteBuffer block = ByteBuffer.allocate(4096);
    while (block.hasRemaining()) {
      block.put((byte) value);
    }
    return block.flip();
  }
}

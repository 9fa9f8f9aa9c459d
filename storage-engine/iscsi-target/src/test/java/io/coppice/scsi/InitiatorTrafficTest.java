package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.Initiator.Pending;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.limit.LimitAttributes;
import io.coppice.scsi.limit.Limits;
import io.coppice.scsi.limit.ManualTimer;
import io.coppice.scsi.setting.ScsiLimits;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.unit.IoTime;
import io.coppice.scsi.unit.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The traffic of each initiator: apart from that of others, over all of its sessions, and kept
/// when it is gone.
class InitiatorTrafficTest {

  private static final String READ = "28 00 00000000 00 0001 00";
  private static final String READ_8 = "28 00 00000000 00 0008 00";
  private static final String WRITE = "2a 00 00000000 00 0001 00";

  private final ManualTimer alarm = new ManualTimer();
  private Fixture fixture = new Fixture(new MemoryEngine(), alarm);

  @AfterEach
  void close() {
    fixture.close();
  }

  private Map<String, Traffic> traffic() {
    return fixture.target.traffic().byInitiator();
  }

  private Initiator plain(String name, long isid) {
    Initiator initiator = new Initiator(fixture.target.plain(), name, isid);
    initiator.settle(LUN_0);
    return initiator;
  }

  private static void read(Initiator initiator, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(initiator.send(LUN_0, READ).status()).isEqualTo(ScsiStatus.GOOD);
    }
  }

  @Test
  void twoInitiatorsOfOneVolumeAreCountedApart() {
    VolumeId volume = fixture.exported(1 << 20);
    Initiator one = plain(ESX, 1);
    Initiator other = plain(OTHER, 1);

    read(one, 3);
    one.send(LUN_0, WRITE, new byte[512]);
    other.send(LUN_0, READ_8);

    Traffic first = traffic().get(ESX);
    Traffic second = traffic().get(OTHER);
    assertThat(first.reads()).isEqualTo(3);
    assertThat(first.bytesRead()).isEqualTo(3 * 512);
    assertThat(first.writes()).isOne();
    assertThat(first.bytesWritten()).isEqualTo(512);
    assertThat(first.writeTime().totalNanos()).isPositive();
    assertThat(second.reads()).isOne();
    assertThat(second.bytesRead()).isEqualTo(8 * 512);
    assertThat(second.writes()).isZero();
    assertThat(second.writeTime()).isEqualTo(IoTime.NONE);
    assertThat(first.plus(second)).isEqualTo(fixture.target.traffic().byVolume().get(volume));
  }

  @Test
  void timesAreDividedIntoPhasesAsThoseOfTheVolume() {
    VolumeId volume = fixture.exported(1 << 20);
    fixture.engine.setAttributes(
        op(), volume, LimitAttributes.attributesOf(new Limits(10, 0)), Set.of());
    Initiator one = plain(ESX, 1);
    List<Pending> reads = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      reads.add(one.begin(LUN_0, READ));
    }
    alarm.advanceMillis(5000);
    reads.forEach(Initiator::await);

    Traffic counted = traffic().get(ESX);
    assertThat(counted.readTime().limitNanos()).isGreaterThan(1_000_000_000L);
    assertThat(counted).isEqualTo(fixture.target.traffic().byVolume().get(volume));
  }

  @Test
  void allSessionsAndBothTargetsCountTogether() {
    fixture.exported(1 << 20);
    Binding binding = fixture.bound(fixture.volume(1 << 20));
    Initiator first = plain(ESX, 1);
    Initiator second = plain(ESX, 2);
    Initiator endpoints = fixture.endpoints();
    String bound = "%04xd2%06x0000".formatted(binding.endpoint().lun(), binding.subsidiary());
    endpoints.settle(bound);

    read(first, 2);
    read(second, 1);
    assertThat(endpoints.send(bound, READ).status()).isEqualTo(ScsiStatus.GOOD);

    assertThat(traffic().get(ESX).reads()).isEqualTo(4);
    first.beginDetach().join();
    read(second, 1);
    assertThat(traffic().get(ESX).reads()).as("the others go on").isEqualTo(5);
  }

  @Test
  void aSessionThatLogsInAgainContinues() {
    fixture.exported(1 << 20);
    Initiator one = plain(ESX, 1);
    read(one, 3);
    Traffic before = traffic().get(ESX);

    one.beginDetach().join();

    assertThat(traffic()).as("it is gone").containsExactly(Map.entry(ESX, before));
    read(plain(ESX, 1), 2);
    assertThat(traffic().get(ESX).reads()).isEqualTo(5);
    assertThat(traffic().get(ESX).readNanos()).isGreaterThan(before.readNanos());
  }

  @Test
  void ofThoseThatAreGoneTheLatestAreKept() {
    ScsiLimits usual = ScsiLimits.defaults();
    fixture.close();
    fixture =
        new Fixture(
            new MemoryEngine(),
            ScsiSettings.defaults()
                .withCommandLimits(
                    new ScsiLimits(
                        usual.transferInBytes(),
                        usual.writeSameInBytes(),
                        usual.unmapInBytes(),
                        usual.unmapDescriptors(),
                        usual.copyDevices(),
                        usual.copySegments(),
                        usual.workers(),
                        usual.waitingWork(),
                        2)));
    List<String> names = List.of("iqn.a", "iqn.b", "iqn.c", "iqn.d", "iqn.e");
    fixture.luns().export(op(), fixture.volume(1 << 20), Optional.of(0), false, Set.copyOf(names));
    for (String name : names.subList(0, 3)) {
      Initiator one = plain(name, 1);
      read(one, 1);
      one.beginDetach().join();
    }
    assertThat(traffic()).containsOnlyKeys("iqn.b", "iqn.c");

    Initiator back = plain("iqn.b", 1); // no longer gone: it does not count against the bound
    Initiator quiet = plain("iqn.d", 1);
    quiet.beginDetach().join();
    assertThat(traffic()).as("nothing is kept of nothing").containsOnlyKeys("iqn.b", "iqn.c");
    Initiator late = plain("iqn.e", 1);
    read(late, 1);
    late.beginDetach().join();
    assertThat(traffic()).containsOnlyKeys("iqn.b", "iqn.c", "iqn.e");
    back.beginDetach().join();
    assertThat(traffic()).containsOnlyKeys("iqn.b", "iqn.e");
  }

  @Test
  void noCommandIsLostWhileSessionsComeAndGo() {
    fixture.exported(1 << 20);
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long isid = i;
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int round = 0; round < 50; round++) {
                  Initiator one = plain(ESX, isid);
                  read(one, 3);
                  one.beginDetach().join();
                }
              }));
    }
    threads.forEach(CompletableFuture::join);

    assertThat(traffic().get(ESX).reads()).isEqualTo(4 * 50 * 3);
    assertThat(traffic().get(ESX)).isEqualTo(fixture.target.traffic().inAll());
  }
}

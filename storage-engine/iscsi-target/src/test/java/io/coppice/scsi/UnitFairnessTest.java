package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.iscsi.testing.SlowDevice;
import io.coppice.scsi.Initiator.Pending;
import io.coppice.scsi.setting.ScsiLimits;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A flood at one unit and a single command at another one: counted in what is done before that
/// command, not in time.
@Timeout(120)
class UnitFairnessTest {

  private static final String LUN_1 = "0001000000000000";
  private static final String LBA_STATUS = "9e 12 0000000000000000 00000018 00 00";
  private static final String WRITE = "2a 00 00000000 00 0008 00";
  private static final String READ = "28 00 00000000 00 0008 00";

  /// At least as many reads as the engine has under way at a time.
  private static final int READERS = 32;

  private static final byte FLOOD = 0x11;
  private static final int WORKERS = ScsiLimits.defaults().workers();
  private static final int WAITING = ScsiLimits.defaults().waitingWork();

  /// What asks the engine something that may block has a few threads only.
  @Test
  void workThatMayBlockIsDoneForOneUnitAfterTheOther() {
    HeldEngine held = new HeldEngine();
    try (Fixture fixture = new Fixture(held.engine(), ScsiSettings.defaults())) {
      fixture.exported(1 << 20);
      VolumeId other = fixture.exported(1 << 20);
      Initiator host = fixture.plain();
      host.settle(LUN_1);
      held.holdStatus();
      List<Pending> flood = begin(host, LBA_STATUS, WORKERS);
      Await.until("all workers in the engine", () -> held.asked().size() == WORKERS);
      flood.addAll(begin(host, LBA_STATUS, WAITING + 10));

      Pending single = host.begin(LUN_1, LBA_STATUS);
      assertThat(single.reply()).as("refused, or answered early").isNotDone();
      held.answer();

      assertThat(Initiator.await(single).status()).isEqualTo(ScsiStatus.GOOD);
      List<ScsiStatus> ends = flood.stream().map(each -> Initiator.await(each).status()).toList();
      assertThat(ends).filteredOn(ScsiStatus.TASK_SET_FULL::equals).hasSize(10);
      assertThat(ends).filteredOn(ScsiStatus.GOOD::equals).hasSize(WORKERS + WAITING);
      assertThat(held.asked().indexOf(other))
          .as("commands of the flood that were done before")
          .isLessThanOrEqualTo(2 * WORKERS);
    }
  }

  /// What waits for the device is written together, whose it is does not matter.
  @Test
  void writesOfAllUnitsThatWaitForTheDeviceAreOneTransfer() throws Exception {
    PoolFixture pool = PoolFixture.ofBytes(64 << 20).zones(1 << 20);
    SlowDevice device = new SlowDevice(pool.device());
    try (StorageEngine engine = pool.behind(_ -> device).format().open();
        ScsiTarget target = ScsiTarget.open(engine, ScsiSettings.defaults())) {
      Fixture fixture = new Fixture(engine, target);
      fixture.exported(1 << 20);
      fixture.exported(1 << 20);
      Initiator host = fixture.plain();
      Initiator other = new Initiator(target.plain(), OTHER);
      other.settle(LUN_1);
      device.hold(FLOOD);
      List<Pending> flood = begin(host, WRITE, 1, block(FLOOD));
      device.awaitMarked();
      flood.addAll(begin(host, WRITE, 63, block(FLOOD)));

      Pending single = other.begin(LUN_1, WRITE, block((byte) 0x22));
      assertThat(single.reply()).isNotDone();
      long before = device.writes();
      device.release();

      assertThat(Initiator.await(single).status()).isEqualTo(ScsiStatus.GOOD);
      assertThat(device.writes() - before)
          .as("transfers until it was stable, of 65 commands")
          .isLessThanOrEqualTo(4);
      assertThat(flood)
          .allSatisfy(
              each -> assertThat(Initiator.await(each).status()).isEqualTo(ScsiStatus.GOOD));
    } finally {
      device.release();
    }
  }

  /// Who floods is not served before those who came meanwhile.
  @Test
  void readsOfOneUnitDoNotOvertakeThoseOfAnother() throws Exception {
    PoolFixture pool = PoolFixture.ofBytes(64 << 20).zones(1 << 20);
    SlowDevice device = new SlowDevice(pool.device());
    try (StorageEngine engine = pool.behind(_ -> device).format().open();
        ScsiTarget target = ScsiTarget.open(engine, ScsiSettings.defaults())) {
      Fixture fixture = new Fixture(engine, target);
      fixture.exported(1 << 20);
      fixture.exported(1 << 20);
      Initiator host = fixture.plain();
      host.settle(LUN_1);
      Tokens.fill(host, LUN_0, 0, 8, FLOOD);
      Tokens.fill(host, LUN_1, 0, 8, 0x22);
      List<String> order = new CopyOnWriteArrayList<>();
      device.holdReads();
      List<Pending> all = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        all.add(read(host, LUN_0, order));
      }
      all.add(read(host, LUN_1, order));
      for (int i = 0; i < 64; i++) {
        all.add(read(host, LUN_0, order));
      }
      device.release();

      assertThat(all)
          .allSatisfy(
              each -> assertThat(Initiator.await(each).status()).isEqualTo(ScsiStatus.GOOD));
      Await.until("the order of all", () -> order.size() == all.size());
      assertThat(order.indexOf(LUN_1))
          .as("reads of the flood that ended before, of 64 before it and 64 after it")
          .isLessThan(64 + READERS);
    } finally {
      device.release();
    }
  }

  private static Pending read(Initiator host, String lun, List<String> order) {
    Pending begun = host.begin(lun, READ);
    var unused = begun.reply().thenRun(() -> order.add(lun));
    return begun;
  }

  private static List<Pending> begin(Initiator host, String cdb, int count, byte... data) {
    List<Pending> begun = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      begun.add(host.begin(LUN_0, cdb, data));
    }
    return begun;
  }

  private static byte[] block(byte value) {
    byte[] bytes = new byte[8 * 512];
    Arrays.fill(bytes, value);
    return bytes;
  }
}

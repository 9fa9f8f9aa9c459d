package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.Await;
import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.limit.ManualTimer;
import io.coppice.scsi.setting.MediumSettings;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The soft threshold of a pool of the real engine, which is filled and emptied (SBC-4 §4.7.3.7).
class SoftThresholdTest {

  private static final long MIB = 1 << 20;
  private static final int PERCENT = 50;
  private static final String TUR = "00 00 00 00 00 00";
  private static final String LUN_1 = "0001000000000000";

  private final ManualTimer alarm = new ManualTimer();
  private final Fixture fixture = new Fixture(SmallPools.open(), settings(PERCENT), alarm);
  private final VolumeId thin = fixture.exported(64 * MIB);
  private long written;

  private static ScsiSettings settings(int percent) {
    return ScsiSettings.defaults().withMedium(new MediumSettings(4096, false, percent));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void everyNexusHearsOnceThatThePoolGetsShortAndWhichThresholdSaysSo() {
    Initiator one = fixture.plain();
    Initiator secondPath = settled(new Initiator(fixture.target.plain(), ESX, 0x23d000001L));
    Initiator other = settled(new Initiator(fixture.target.plain(), OTHER));
    fillUntilLessThan(level());
    assertThat(one.send(LUN_0, TUR).status()).as("not looked yet").isEqualTo(ScsiStatus.GOOD);

    alarm.advanceMillis(1000);

    for (Initiator each : new Initiator[] {one, secondPath, other}) {
      Reply reply = each.send(LUN_0, TUR);
      assertThat(reply.code()).isEqualTo("6/38/07");
      assertThat(reply.sense()).as("VALID, INFORMATION 16").startsWith("f00006" + "00000010");
      assertThat(each.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
    }
    fillUntilLessThan(level() - MIB);
    alarm.advanceMillis(60_000);
    assertThat(one.send(LUN_0, TUR).status()).as("below it").isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void boundVolumesHearToo() {
    Binding binding = fixture.bound(fixture.volume(MIB));
    String lun = "0001" + binding.secondaryId().substring(2) + "0000";
    Initiator host = fixture.endpoints();
    host.settle(lun);

    fillUntilLessThan(level());
    alarm.advanceMillis(1000);

    assertThat(host.send(lun, TUR).code()).isEqualTo("6/38/07");
  }

  @Test
  void crossingItAgainIsToldAgainOnceEnoughWasFreed() {
    Initiator one = fixture.plain();
    fillUntilLessThan(level());
    alarm.advanceMillis(1000);
    assertThat(one.send(LUN_0, TUR).code()).isEqualTo("6/38/07");

    // Not by more than the margin above the threshold: nothing changes.
    freeUntilMoreThan(level() + MIB / 2);
    alarm.advanceMillis(1000);
    fillUntilLessThan(level() - MIB);
    alarm.advanceMillis(1000);
    assertThat(one.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);

    freeUntilMoreThan(level() + 2 * MIB);
    alarm.advanceMillis(1000);
    assertThat(one.send(LUN_0, TUR).status()).isEqualTo(ScsiStatus.GOOD);
    fillUntilLessThan(level() - MIB);
    alarm.advanceMillis(1000);
    assertThat(one.send(LUN_0, TUR).code()).isEqualTo("6/38/07");
  }

  @Test
  void reservedVolumeHasItsSpaceAndHearsNothing() {
    VolumeId thick = VolumeId.random();
    fixture.engine.create(op(), new VolumeSpec(thick, MIB, true, Map.of()));
    fixture.luns().export(op(), thick, Optional.of(1), false, Set.of(ESX));
    Initiator one = fixture.plain();
    one.settle(LUN_1);

    fillUntilLessThan(level());
    alarm.advanceMillis(1000);

    assertThat(one.send(LUN_1, TUR).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(one.send(LUN_1, "1a 08 1c 02 ff 00").hex(4 + 16, 4 + 24))
        .isEqualTo("0001" + "0000" + "%08x".formatted(count()));
    assertThat(one.send(LUN_0, TUR).code()).isEqualTo("6/38/07");
  }

  /// SBC-4 §6.5.9: enabled, decreasing, of resource 01h, in the units of VPD page B2h and log page
  /// 0Ch; a host cannot change it.
  @Test
  void modePagesTellTheThreshold() {
    Initiator one = fixture.plain();
    String page = "5c02" + "0014" + "00".repeat(12) + "8001" + "0000" + "%08x".formatted(count());

    assertThat(one.send(LUN_0, "1a 08 1c 02 ff 00").hex(4, 28)).isEqualTo(page);
    assertThat(one.send(LUN_0, "1a 08 9c 02 ff 00").hex(4, 28)).as("default").isEqualTo(page);
    assertThat(one.send(LUN_0, "1a 08 5c 02 ff 00").hex(4, 28))
        .as("changeable")
        .isEqualTo("5c02" + "0014" + "00".repeat(20));
    assertThat(one.send(LUN_0, "1a 08 01 00 ff 00").hex(4, 16))
        .as("LBPERE")
        .isEqualTo("010a" + "0000000000" + "80" + "00000000");
    assertThat(one.send(LUN_0, "12 01 b2 0040 00").hex(4, 5)).isEqualTo("0b");
    assertThat(one.send(LUN_0, "15 10 00 00 1c 00", list(page)).status())
        .isEqualTo(ScsiStatus.GOOD);
    assertThat(one.send(LUN_0, "15 10 00 00 1c 00", list(page.replace("8001", "0001"))).code())
        .isEqualTo("5/26/00");
  }

  @Test
  void withoutAThresholdNobodyHearsAndThePageSaysSo() {
    try (Fixture never = new Fixture(SmallPools.open(), settings(0), alarm)) {
      never.exported(MIB);
      Initiator one = never.plain();

      assertThat(one.send(LUN_0, "1a 08 1c 02 ff 00").hex(4 + 16, 4 + 24))
          .isEqualTo("0001" + "0000" + "00000000");
      assertThat(one.send(LUN_0, "1a 08 01 00 ff 00").hex(4 + 7, 4 + 8)).isEqualTo("00");
    }
  }

  private static byte[] list(String page) {
    return HexFormat.of().parseHex("00000000" + page);
  }

  private static Initiator settled(Initiator initiator) {
    initiator.settle(LUN_0);
    return initiator;
  }

  /// THRESHOLD COUNT: half of the pool in MiB.
  private long count() {
    return fixture.engine.space().capacity() / 100 * PERCENT / MIB;
  }

  private long level() {
    return count() * MIB - MIB / 2;
  }

  private void fillUntilLessThan(long bytes) {
    while (fixture.engine.space().free() >= bytes) {
      ByteBuffer data = ByteBuffer.allocateDirect(64 << 10);
      while (data.hasRemaining()) {
        data.putLong(written + data.position() + 1);
      }
      long at = written;
      Await.io(done -> fixture.engine.open(thin).write(at, data.flip(), done));
      written += 64 << 10;
    }
  }

  /// Unmaps what was written last.
  private void freeUntilMoreThan(long bytes) {
    while (fixture.engine.space().free() <= bytes) {
      written -= 64 << 10;
      long at = written;
      Await.io(done -> fixture.engine.open(thin).unmap(at, 64 << 10, done));
    }
  }
}

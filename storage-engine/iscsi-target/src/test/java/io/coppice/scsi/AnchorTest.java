package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.Await;
import io.coppice.scsi.limit.ManualTimer;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Reserved volumes of the real engine promise space to every block: all that is not stored is
/// anchored (SBC-4 §4.7.3.2, §4.7.4).
class AnchorTest {

  private static final int MIB = 1 << 20;
  private static final String TUR = "00 00 00 00 00 00";
  private static final String LUN_1 = "0001000000000000";
  private static final String PROVISIONING = "12 01 b2 0040 00";
  private static final String UNMAP_ANCHORED = "42 01 00000000 00 0018 00";
  private static final String ZERO_ANCHORED = "93 19 0000000000000010 00000008 00 00";
  private static final String RUN =
      "0016001000000000" + "0000000000000008" + "00000008" + "00000000";

  private final Fixture fixture =
      new Fixture(SmallPools.open(), ScsiSettings.defaults(), new ManualTimer());
  private final VolumeId thin = fixture.exported(64 * MIB);
  private final VolumeId thick = VolumeId.random();
  private Initiator initiator;

  @BeforeEach
  void export() {
    fixture.engine.create(op(), new VolumeSpec(thick, MIB, true, Map.of()));
    fixture.luns().export(op(), thick, Optional.of(1), false, Set.of(ESX, OTHER));
    initiator = fixture.plain();
    initiator.settle(LUN_1);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void reservedUnitAnchorsWhatItUnmapsAndKeepsTheSpace() {
    assertThat(initiator.send(LUN_1, PROVISIONING).hex(4, 8)).isEqualTo("0be60100");
    assertThat(status(LUN_1, 0)).as("at first").isEqualTo("00000800" + "02");
    good(initiator.send(LUN_1, "2a 00 00000008 00 0010 00", filled(16 * 512)));
    assertThat(status(LUN_1, 0)).isEqualTo("00000008" + "02");
    assertThat(status(LUN_1, 8)).isEqualTo("00000010" + "00");

    good(initiator.send(LUN_1, UNMAP_ANCHORED, HexFormat.of().parseHex(RUN)));
    assertThat(status(LUN_1, 8)).isEqualTo("00000008" + "02");
    good(initiator.send(LUN_1, ZERO_ANCHORED));
    assertThat(status(LUN_1, 0)).isEqualTo("00000800" + "02");

    assertThat(fixture.engine.spaceOf(thick).reserved()).isEqualTo(MIB);
    assertThat(initiator.send(LUN_1, "28 00 00000008 00 0010 00").data())
        .isEqualTo(new byte[16 * 512]);
  }

  @Test
  void anchoredBlocksAreWrittenWhenThePoolIsFull() {
    good(initiator.send(LUN_1, UNMAP_ANCHORED, HexFormat.of().parseHex(RUN)));
    fill();
    assertThat(initiator.send(LUN_0, "2a 00 0001fff8 00 0008 00", filled(8 * 512)).code())
        .as("a thin unit")
        .isEqualTo("7/27/07");

    for (int lba = 0; lba < 2048; lba += 128) {
      good(initiator.send(LUN_1, "2a 00 %08x 00 0080 00".formatted(lba), filled(128 * 512)));
    }

    assertThat(status(LUN_1, 0)).isEqualTo("00000800" + "00");
  }

  @Test
  void resourcesOfAReservedUnitAreItsOwn() {
    good(initiator.send(LUN_1, "2a 00 00000000 00 0080 00", filled(128 * 512)));

    assertThat(initiator.send(LUN_1, "4d 00 4c 00 00 0000 0100 00").hex(4, 28))
        .as("of 1 MiB less than 1 MiB is left and a part of 1 MiB used; SCOPE: dedicated")
        .isEqualTo("00010308" + "00000000" + "01000000" + "00020308" + "00000001" + "01000000");
  }

  @Test
  void thinUnitAnchorsNothing() {
    assertThat(initiator.send(LUN_0, PROVISIONING).hex(4, 8)).isEqualTo("0be40200");
    for (Initiator.Reply refused :
        new Initiator.Reply[] {
          initiator.send(LUN_0, UNMAP_ANCHORED, HexFormat.of().parseHex(RUN)),
          initiator.send(LUN_0, ZERO_ANCHORED),
          initiator.send(LUN_0, "41 18 00000010 00 0008 00", new byte[512])
        }) {
      assertThat(refused.code()).isEqualTo("5/24/00");
      assertThat(refused.sense()).as("byte 1 of the CDB").endsWith("c00001");
    }
    assertThat(status(LUN_0, 0)).isEqualTo("00020000" + "01");
  }

  /// SBC-4 §4.7.3.1 and §6.5.9.
  @Test
  void everyNexusHearsThatAUnitBecameThinOrReserved() {
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_1);

    fixture.engine.reserve(op(), thick, false);

    for (Initiator each : new Initiator[] {initiator, other}) {
      assertThat(each.send(LUN_1, PROVISIONING).hex(4, 8)).isEqualTo("0be40200");
      assertThat(each.send(LUN_1, TUR).code()).isEqualTo("6/2a/01");
      assertThat(each.send(LUN_1, TUR).code()).isEqualTo("6/3f/03");
      good(each.send(LUN_1, TUR));
    }
    assertThat(status(LUN_1, 0)).isEqualTo("00000800" + "01");
    fixture.engine.reserve(op(), thick, true);
    assertThat(initiator.send(LUN_1, TUR).code()).isEqualTo("6/2a/01");
    initiator.settle(LUN_1);
    assertThat(status(LUN_1, 0)).isEqualTo("00000800" + "02");
  }

  /// Length and state of the run of blocks at an LBA.
  private String status(String lun, int lba) {
    return initiator.send(lun, "9e 12 %016x 00000018 00 00".formatted(lba)).hex(16, 21);
  }

  private static void good(Initiator.Reply reply) {
    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
  }

  private static byte[] filled(int bytes) {
    byte[] data = new byte[bytes];
    Arrays.fill(data, (byte) 0x5a);
    return data;
  }

  /// Writes to the thin volume until the pool refuses.
  private void fill() {
    long at = 0;
    try {
      while (true) {
        long offset = at;
        ByteBuffer data = ByteBuffer.allocateDirect(4096).put(filled(4096)).flip();
        Await.io(done -> fixture.engine.open(thin).write(offset, data, done));
        at += 4096;
      }
    } catch (StorageException.OutOfSpace full) {
      assertThat(at).isPositive();
    }
  }
}
